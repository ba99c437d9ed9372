//! Who may ask: requests must be meant for this server, must not come from a page of another, and need the token where
//! the server can be reached from other machines.
//!
//! - *Host*: a page of another site could give its own name this machine's address (DNS rebinding). Its requests name
//!   that site as the host. So the host has to be an address, or `localhost`, with our port.
//! - *Origin* and *Sec-Fetch-Site*: browsers say which site's page asks. It has to be ours.
//! - *Token*: it stands in the address that is printed. The page moves it into a cookie that scripts cannot read.

use std::fmt::Write;
use std::net::{IpAddr, SocketAddr};

use rand::TryRng;
use rand::rngs::SysRng;

/// Random bytes of a token, and of the name of a tab: nobody guesses 128 bits.
const SECRET: usize = 16;

/// What is known of a request before it is looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Caller<'a> {
    pub(super) host: Option<&'a str>,
    pub(super) origin: Option<&'a str>,
    /// `Sec-Fetch-Site`: how the page that asks is related to us.
    pub(super) site: Option<&'a str>,
    /// Does the request go to the page itself? Links from other sites may lead there.
    pub(super) is_page: bool,
    pub(super) cookies: Option<&'a str>,
    /// The token in the address.
    pub(super) token: Option<&'a str>,
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refusal {
    #[error("this server has another name: open the address that it has printed, with this port")]
    Host,
    #[error("only pages of this server may ask that")]
    Origin,
    #[error("the token of the address that was printed is missing")]
    Token,
}

/// Who may ask.
#[derive(Debug)]
pub(super) struct Guard {
    address: SocketAddr,
    token: Option<String>,
}

impl Guard {
    /// The guard of a server on this address. It makes a token unless only this machine can reach the address.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub(super) fn new(address: SocketAddr) -> Result<Guard, String> {
        let token = if address.ip().is_loopback() { None } else { Some(secret()?) };
        Ok(Guard { address, token })
    }

    /// The address of the page, with the token.
    pub(super) fn address(&self, shown: SocketAddr) -> String {
        let token = self.token.as_ref().map_or_else(String::new, |token| format!("?token={token}"));
        format!("http://{shown}/{token}")
    }

    /// The cookie that holds the token, for a caller who has the token in the address.
    ///
    /// It is `Lax`: a browser does not send a strict cookie after a link on another site, such as a mail, has been
    /// followed. Orders and what the page asks for are guarded by their origin, see [`Guard::check`].
    pub(super) fn cookie(&self, caller: &Caller<'_>) -> Option<String> {
        let token = self.token.as_ref()?;
        let known = caller.token.is_some_and(|given| is_same(given, token));
        known.then(|| format!("{}={token}; Path=/; HttpOnly; SameSite=Lax", self.cookie_name()))
    }

    /// May this caller ask?
    ///
    /// # Errors
    /// Why not.
    pub(super) fn check(&self, caller: &Caller<'_>) -> Result<(), Refusal> {
        let host = caller.host.filter(|host| self.is_ours(host)).ok_or(Refusal::Host)?;
        if caller.origin.is_some_and(|origin| origin.strip_prefix("http://") != Some(host)) {
            return Err(Refusal::Origin);
        }
        if !caller.is_page && caller.site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
            return Err(Refusal::Origin);
        }
        let Some(token) = &self.token else { return Ok(()) };
        let name = self.cookie_name();
        let mut cookies =
            caller.cookies.unwrap_or_default().split(';').filter_map(|cookie| cookie.trim().split_once('='));
        let has_cookie = cookies.any(|(given, value)| given == name && is_same(value, token));
        let has_token = caller.token.is_some_and(|given| is_same(given, token));
        if has_cookie || has_token { Ok(()) } else { Err(Refusal::Token) }
    }

    /// Cookies belong to a machine, whatever the port. Two servers on a machine have two names.
    fn cookie_name(&self) -> String {
        format!("kosumi-{}", self.address.port())
    }

    /// Is this host an address or `localhost`, with our port?
    fn is_ours(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            // The colons of an address of IPv6 stand in brackets.
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let address = bare.parse::<IpAddr>().ok();
        let is_name = name.eq_ignore_ascii_case("localhost")
            || address.is_some_and(|address| address.is_loopback() || self.token.is_some());
        is_name && port == Some(self.address.port())
    }
}

/// A secret of the system's random numbers.
///
/// # Errors
/// If the system has none.
pub(super) fn secret() -> Result<String, String> {
    let mut bytes = [0; SECRET];
    SysRng.try_fill_bytes(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// Are the texts the same? The time does not tell where they differ.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str) -> Guard {
        Guard::new(address.parse().expect("an address")).expect("random numbers")
    }

    #[test]
    fn names_of_other_sites_are_refused() {
        let guard = guard("127.0.0.1:4000");
        let check = |host| guard.check(&Caller { host: Some(host), ..Caller::default() });
        for host in ["127.0.0.1:4000", "localhost:4000", "LOCALHOST:4000", "[::1]:4000"] {
            assert_eq!(check(host), Ok(()), "{host}");
        }
        for host in
            ["127.0.0.1", "127.0.0.1:80", "evil.example:4000", "192.168.0.7:4000", "", ":", "127.0.0.1:4000.evil"]
        {
            assert_eq!(check(host), Err(Refusal::Host), "{host}");
        }
        assert_eq!(guard.check(&Caller::default()), Err(Refusal::Host));
    }

    #[test]
    fn pages_of_other_sites_may_lead_here_and_no_more() {
        let guard = guard("127.0.0.1:4000");
        let ours = Caller { host: Some("127.0.0.1:4000"), ..Caller::default() };
        let with = |origin, site, is_page| guard.check(&Caller { origin, site, is_page, ..ours });
        assert_eq!(with(Some("http://127.0.0.1:4000"), Some("same-origin"), false), Ok(()));
        assert_eq!(with(None, Some("none"), false), Ok(()));
        assert_eq!(with(None, Some("cross-site"), true), Ok(()), "a link");
        for origin in ["http://evil.example", "null", "https://127.0.0.1:4000", "http://localhost:4000"] {
            assert_eq!(with(Some(origin), None, true), Err(Refusal::Origin), "{origin}");
        }
        assert_eq!(with(None, Some("cross-site"), false), Err(Refusal::Origin));
        assert_eq!(with(None, Some("same-site"), false), Err(Refusal::Origin), "another port of this machine");
    }

    #[test]
    fn other_machines_need_the_token() {
        let guard = guard("0.0.0.0:4000");
        let address = guard.address("10.0.0.5:4000".parse().expect("an address"));
        let (page, token) = address.split_once("?token=").expect("a token");
        assert_eq!((page, token.len()), ("http://10.0.0.5:4000/", 32));
        let ours = Caller { host: Some("10.0.0.5:4000"), ..Caller::default() };
        assert_eq!(guard.check(&ours), Err(Refusal::Token));
        assert_eq!(guard.cookie(&ours), None);
        let wrong = "0".repeat(32);
        for token in ["", "x", &wrong] {
            assert_eq!(guard.check(&Caller { token: Some(token), ..ours }), Err(Refusal::Token));
        }
        let first = Caller { token: Some(token), ..ours };
        assert_eq!(guard.check(&first), Ok(()));
        let cookie = guard.cookie(&first).expect("a cookie");
        let (cookie, _) = cookie.split_once(';').expect("attributes");
        let both = format!("other=1; {cookie}");
        assert_eq!(guard.check(&Caller { cookies: Some(&both), ..ours }), Ok(()));
        let named = Caller { host: Some("evil.example:4000"), cookies: Some(&both), ..ours };
        assert_eq!(guard.check(&named), Err(Refusal::Host), "a name could lead anywhere");
    }
}
