//! Memoriter over HTTP and MCP.
//!
//! The only crate that waits without a thread: calls into the engine, which block, run on threads of their own. It
//! translates requests to calls and answers to JSON, and has no rules of memory. What a caller may do is an
//! [`Access`](memoriter::Access) that the engine checks with every call; this crate finds out who calls.
//!
//! | module | holds |
//! |---|---|
//! | [`wire`] | the shapes of the JSON that goes out, of the command, too |
//! | [`mcp`] | memory as tools of the Model Context Protocol |
//! | [`credential`] | keys, and tokens of an authorization server |
//! | `layer` | what every request goes through: host, origin, credential, limits, a line in the log |
//! | `route` | one file for the requests of one thing |
//! | `server` | starting, serving, stopping: [`run`] |

mod app;
mod caller;
pub mod credential;
mod desk;
mod input;
mod layer;
mod limit;
pub mod mcp;
mod metrics;
mod problem;
mod repeat;
mod route;
mod server;
mod tenant;
pub mod wire;

pub use limit::Limits;
pub use server::{Server, Settings, StartError, run};
pub use tenant::{OpenError, OpenTenant, TENANT_BYTES_MAX, TENANTS_OPEN_MAX, is_tenant_name};
