//! MCP over HTTP for one user, with nothing in front of it: for trying clients and checks on this machine.
//!
//! `cargo run -p memoriter-server --example mcp_http -- memory.db 127.0.0.1:7077`
//!
//! A server for others looks at a key first and puts the connection of that key into each request; here every request gets
//! the same one.

use axum::{Extension, Router};
use memoriter::{Memoriter, Scope};
use memoriter_server::mcp::{Connection, HttpOptions, http_service};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("which file?")?;
    let address = arguments.next().ok_or("which address?")?;
    let memory = Memoriter::open(file)?.scope(Scope::user("me"));
    let options = HttpOptions {
        allowed_hosts: vec!["localhost".to_owned(), "127.0.0.1".to_owned()],
        allowed_origins: vec![
            "http://localhost:*".to_owned(),
            "http://127.0.0.1:*".to_owned(),
        ],
    };
    let app = Router::new()
        .nest_service("/mcp", http_service(options))
        .layer(Extension(Connection::new(memory)));
    let listener = tokio::net::TcpListener::bind(address).await?;
    eprintln!("http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}
