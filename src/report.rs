//! Plain data to text: verdicts for people and machines, pictures of graphs.
