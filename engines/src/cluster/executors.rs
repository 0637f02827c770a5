//! Reads the number of executors from the status page of a scheduler.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Timeout of the request for the status page of the scheduler.
const PATIENCE: Duration = Duration::from_secs(1);

/// Returns the number of executors with a recent heartbeat. Returns `None` if the scheduler at `host_and_port` does not
/// report the number.
pub(super) async fn count(host_and_port: &str) -> Option<usize> {
    let page = async {
        let mut connection = TcpStream::connect(host_and_port).await.ok()?;
        connection.write_all(b"GET /readyz HTTP/1.0\r\n\r\n").await.ok()?;
        let mut page = String::new();
        connection.take(4096).read_to_string(&mut page).await.ok()?;
        number(&page)
    };
    timeout(PATIENCE, page).await.ok()?
}

/// Finds the number of executors in the text of a status page. The number is 2 for `ready: 2 executors registered`, and
/// 0 for `not ready: 0/1 executors registered`.
fn number(page: &str) -> Option<usize> {
    let (_, text) = page.split_once("ready: ")?;
    let digits = text.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn status_page_contains_the_number_of_executors() {
        for (page, expected) in [
            ("HTTP/1.0 200 OK\r\n\r\nready: 2 executors registered\n", Some(2)),
            (
                "HTTP/1.0 503 Service Unavailable\r\n\r\nnot ready: 0/1 executors registered\n",
                Some(0),
            ),
            ("HTTP/1.0 404 Not Found\r\n\r\n", None),
            ("HTTP/1.0 200 OK\r\n\r\nready: yes\n", None),
        ] {
            assert_eq!(number(page), expected, "{page}");
        }
    }
}
