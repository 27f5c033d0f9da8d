//! Which hosts and origins are answered: a page that a browser has from elsewhere must not reach a server on this
//! machine by a name that leads here (DNS rebinding).

use std::net::{IpAddr, SocketAddr};

use axum::extract::{Request, State};
use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::Response;

use crate::app::App;
use crate::problem::Problem;

/// Names by which this machine calls itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Lists of what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hosts {
    /// Names without port.
    hosts: Vec<String>,
    /// Origins as browsers write them.
    origins: Vec<String>,
}

impl Hosts {
    /// For a server that listens at an address, with more names and origins. `None` where nobody could say by which name
    /// it is reached: it listens at every address, and no name was given.
    pub(crate) fn new(address: SocketAddr, hosts: &[String], origins: &[String]) -> Option<Self> {
        let ip = address.ip();
        if ip.is_unspecified() && hosts.is_empty() {
            return None;
        }
        let own: Vec<String> = if ip.is_loopback() || ip.is_unspecified() {
            LOOPBACK.iter().map(|&name| name.to_owned()).collect()
        } else {
            vec![written(ip)]
        };
        let given = hosts.iter().map(|host| host.to_ascii_lowercase());
        Some(Self {
            hosts: own.into_iter().chain(given).collect(),
            origins: origins
                .iter()
                .map(|origin| origin.trim_end_matches('/').to_ascii_lowercase())
                .collect(),
        })
    }

    pub(crate) fn names(&self) -> &[String] {
        &self.hosts
    }

    pub(crate) fn origins(&self) -> &[String] {
        &self.origins
    }

    /// Refuses what is not on the lists.
    pub(crate) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
        let mut given = headers.get_all(HOST).iter();
        let host = given.next().and_then(|host| host.to_str().ok());
        let host = host.map(str::to_ascii_lowercase);
        let is_single = given.next().is_none();
        let in_uri = uri
            .authority()
            .map(|name| name.as_str().to_ascii_lowercase());
        let Some(host) = host.filter(|host| is_single && self.has_host(host)) else {
            return Err(refused("host_not_allowed", "this server has another name").field("Host"));
        };
        if in_uri.is_some_and(|name| !self.has_host(&name)) {
            return Err(refused("host_not_allowed", "this server has another name").field("Host"));
        }
        for origin in headers.get_all(ORIGIN) {
            let origin = origin.to_str().unwrap_or_default().to_ascii_lowercase();
            if !self.has_origin(&origin, &host) {
                return Err(refused(
                    "origin_not_allowed",
                    "pages of this origin may not come here",
                )
                .field("Origin"));
            }
        }
        Ok(())
    }

    fn has_host(&self, host: &str) -> bool {
        name_of(host).is_some_and(|name| self.hosts.iter().any(|known| known == name))
    }

    /// A page of this server itself, or one of the list.
    fn has_origin(&self, origin: &str, host: &str) -> bool {
        let is_own = origin
            .strip_prefix("http://")
            .or_else(|| origin.strip_prefix("https://"))
            == Some(host);
        is_own || self.origins.iter().any(|known| known == origin)
    }
}

fn written(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

/// A host without its port; `None` where it is none.
fn name_of(host: &str) -> Option<&str> {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => {
            let end = rest.find(']')? + 2;
            host.split_at_checked(end)?
        }
        None => host.find(':').map_or((host, ""), |at| host.split_at(at)),
    };
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    match port.strip_prefix(':') {
        Some(port) if is_port(port) => Some(name),
        None if port.is_empty() => Some(name),
        Some(_) | None => None,
    }
}

fn refused(code: &'static str, detail: &str) -> Problem {
    Problem::new(StatusCode::FORBIDDEN, code, detail)
}

/// The layer.
pub(crate) async fn check(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    app.hosts.check(request.uri(), request.headers())?;
    Ok(next.run(request).await)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(host: &str, origin: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, origin.parse().unwrap());
        }
        headers
    }

    #[track_caller]
    fn check(host: &str, origin: Option<&str>, is_allowed: bool) {
        let hosts = Hosts::new(
            "127.0.0.1:7077".parse().unwrap(),
            &["Memory.example.org".to_owned()],
            &["https://app.example.org/".to_owned()],
        )
        .unwrap();
        let checked = hosts.check(&Uri::from_static("/v1/memories"), &headers(host, origin));
        assert_eq!(checked.is_ok(), is_allowed, "{host} {origin:?}");
    }

    #[test]
    fn twenty_pairs_of_host_and_origin() {
        check("127.0.0.1:7077", None, true);
        check("localhost:7077", None, true);
        check("LOCALHOST", None, true);
        check("[::1]:7077", None, true);
        check("memory.example.org", None, true);
        check(
            "memory.example.org",
            Some("https://memory.example.org"),
            true,
        );
        check("localhost:7077", Some("http://localhost:7077"), true);
        check("localhost:7077", Some("https://app.example.org"), true);
        check("localhost:7077", Some("http://localhost:3000"), false);
        check("localhost:7077", Some("http://app.example.org"), false);
        check(
            "localhost:7077",
            Some("https://app.example.org.evil.com"),
            false,
        );
        check("localhost:7077", Some("null"), false);
        check("localhost:7077", Some("https://evil.com"), false);
        check("evil.com", None, false);
        check("evil.com", Some("http://evil.com"), false);
        check("127.0.0.1.evil.com", None, false);
        check("localhost.evil.com:7077", None, false);
        check("localhost:7077@evil.com", None, false);
        check("[::1", None, false);
        check("", None, false);
        check("localhost:", None, false);
        check("0.0.0.0:7077", None, false);
    }

    #[test]
    fn two_hosts_or_an_address_of_another_are_refused() {
        let hosts = Hosts::new("127.0.0.1:1".parse().unwrap(), &[], &[]).unwrap();
        let mut two = headers("localhost", None);
        two.append(HOST, "evil.com".parse().unwrap());
        assert!(hosts.check(&Uri::from_static("/"), &two).is_err());
        let one = headers("localhost", None);
        assert!(
            hosts
                .check(&Uri::from_static("http://evil.com/"), &one)
                .is_err()
        );
        assert!(
            hosts
                .check(&Uri::from_static("http://localhost/"), &one)
                .is_ok()
        );
    }

    #[test]
    fn who_listens_everywhere_has_to_name_itself() {
        assert!(Hosts::new("0.0.0.0:1".parse().unwrap(), &[], &[]).is_none());
        assert!(Hosts::new("[::]:1".parse().unwrap(), &["a.org".into()], &[]).is_some());
    }
}
