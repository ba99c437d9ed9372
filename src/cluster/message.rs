//! What ranks send each other, as bytes. Orders go from rank 0 to the others, news goes both ways.
//!
//! News is binary and little-endian: the byte `N`, the number of the job (8 bytes), the playouts that are new (8), a
//! byte of two bits (1: the sender's tree is an earlier one; 2: there are all-moves-as-first sums), then 24 bytes for
//! each node: path (8), visits (4), sum (4, a float), visits with a second value (4), their sum (4, a float). With
//! all-moves-as-first, 8 bytes more for each node: weight and sum (4 and 4, floats). An order is the byte `O` and JSON.

use serde::{Deserialize, Serialize};

use super::job::Job;
use crate::search::NodeNews;
use crate::search::near::{Amount, Path};

const ORDER: u8 = b'O';
const NEWS: u8 = b'N';
const NEWS_HEAD: usize = 1 + 8 + 8 + 1;

/// Bytes of a node in news, without all-moves-as-first.
pub const NODE_BYTES: usize = 24;
const RAVE_BYTES: usize = 8;

const KEEPS: u8 = 1;
const HAS_RAVE: u8 = 2;

/// What rank 0 wants of another rank, from now on. An order replaces all earlier ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Order {
    /// Search this position until another order comes.
    Search(Box<Job>),
    /// Rest.
    Rest,
    /// End the program.
    Leave,
}

/// What has changed near a root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct News {
    /// The number of the job that the news is about.
    pub job: u64,
    /// Playouts since the last news.
    pub playouts: u64,
    /// Has the sender begun with a tree of an earlier job?
    pub keeps: bool,
    /// What has changed.
    pub nodes: Vec<NodeNews>,
}

/// Anything that is sent.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// An order of rank 0.
    Order(Order),
    /// News.
    News(News),
}

/// Why bytes are no message.
#[derive(Debug, thiserror::Error)]
pub enum MessageError {
    /// Neither an order nor news, or cut off.
    #[error("{0} bytes that are no message")]
    Form(usize),
    /// An order that this version of the program does not know.
    #[error("an order of another form: {0}")]
    Order(#[from] serde_json::Error),
}

impl Order {
    /// The bytes of the order.
    ///
    /// # Errors
    /// Never for the orders that there are: all parts of them have a form in JSON.
    pub fn to_bytes(&self) -> Result<Vec<u8>, MessageError> {
        let mut bytes = vec![ORDER];
        serde_json::to_writer(&mut bytes, self)?;
        Ok(bytes)
    }
}

impl News {
    /// The bytes of the news.
    pub fn to_bytes(&self) -> Vec<u8> {
        let has_rave = self.nodes.iter().any(|node| node.amount.rave > 0.0);
        let node_bytes = NODE_BYTES + if has_rave { RAVE_BYTES } else { 0 };
        let mut bytes = Vec::with_capacity(NEWS_HEAD + self.nodes.len() * node_bytes);
        bytes.push(NEWS);
        bytes.extend(self.job.to_le_bytes());
        bytes.extend(self.playouts.to_le_bytes());
        bytes.push(if self.keeps { KEEPS } else { 0 } | if has_rave { HAS_RAVE } else { 0 });
        for NodeNews { path, amount } in &self.nodes {
            bytes.extend(path.bits().to_le_bytes());
            bytes.extend((amount.visits as u32).to_le_bytes());
            bytes.extend((amount.sum as f32).to_le_bytes());
            bytes.extend((amount.second_visits as u32).to_le_bytes());
            bytes.extend((amount.second_sum as f32).to_le_bytes());
            if has_rave {
                bytes.extend((amount.rave as f32).to_le_bytes());
                bytes.extend((amount.rave_sum as f32).to_le_bytes());
            }
        }
        bytes
    }
}

impl Message {
    /// Reads a message.
    ///
    /// # Errors
    /// See [`MessageError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Message, MessageError> {
        match bytes.split_first() {
            Some((&ORDER, json)) => Ok(Message::Order(serde_json::from_slice(json)?)),
            Some((&NEWS, rest)) => {
                let mut input = Input(rest);
                read_news(&mut input).map(Message::News).ok_or(MessageError::Form(bytes.len()))
            }
            _ => Err(MessageError::Form(bytes.len())),
        }
    }
}

struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }
}

fn read_news(input: &mut Input<'_>) -> Option<News> {
    let job = u64::from_le_bytes(input.take()?);
    let playouts = u64::from_le_bytes(input.take()?);
    let [bits] = input.take()?;
    let has_rave = bits & HAS_RAVE != 0;
    let mut nodes = Vec::with_capacity(input.0.len() / NODE_BYTES);
    while !input.0.is_empty() {
        let path = Path::from_bits(u64::from_le_bytes(input.take()?));
        let visits = u32::from_le_bytes(input.take()?).into();
        let sum = f32::from_le_bytes(input.take()?).into();
        let second_visits = u32::from_le_bytes(input.take()?).into();
        let second_sum = f32::from_le_bytes(input.take()?).into();
        let mut amount = Amount { visits, sum, second_visits, second_sum, ..Amount::default() };
        if has_rave {
            amount.rave = f32::from_le_bytes(input.take()?).into();
            amount.rave_sum = f32::from_le_bytes(input.take()?).into();
        }
        nodes.push(NodeNews { path, amount });
    }
    Some(News { job, playouts, keeps: bits & KEEPS != 0, nodes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back_as_they_were_and_others_are_refused() {
        let visits = u64::from(u32::MAX);
        let amount = Amount { visits, sum: 0.5, second_visits: 3, second_sum: 2.25, ..Amount::default() };
        let nodes = vec![NodeNews { path: Path::from_bits(77), amount }; 3];
        let news = News { job: 12, playouts: 1 << 40, keeps: true, nodes };
        let bytes = news.to_bytes();
        assert_eq!(bytes.len(), NEWS_HEAD + 3 * NODE_BYTES);
        assert_eq!(Message::from_bytes(&bytes).expect("news"), Message::News(news.clone()));
        // All-moves-as-first takes room only where it is told.
        let mut with_rave = News { keeps: false, ..news };
        (with_rave.nodes[1].amount.rave, with_rave.nodes[1].amount.rave_sum) = (2.5, 1.25);
        let bytes = with_rave.to_bytes();
        assert_eq!(bytes.len(), NEWS_HEAD + 3 * (NODE_BYTES + RAVE_BYTES));
        assert_eq!(Message::from_bytes(&bytes).expect("news"), Message::News(with_rave));
        for order in [Order::Rest, Order::Leave] {
            let bytes = order.to_bytes().expect("bytes");
            assert_eq!(Message::from_bytes(&bytes).expect("an order"), Message::Order(order));
        }
        assert!(Message::from_bytes(&bytes[..bytes.len() - 1]).is_err());
        assert!(Message::from_bytes(b"").is_err() && Message::from_bytes(b"hello").is_err());
        assert!(Message::from_bytes(b"O{\"Fly\":1}").is_err());
    }
}
