//! The three-way handshake of a connection over a network that loses packets
//! and delivers old ones: `alice` opens, `peer` answers.

/// How many packets the network carries at a time in each direction, in no
/// particular order.
const SLOTS: usize = 1;

enum Packet { None, Syn, Ack, Rst, Old }
enum Reply { None, SynAck, OldAck }
enum Number { None, New, Old }

/// The number of the connection that `peer` is asked for.
static mut number: Number = Number::None;

/// What is under way to `peer` and to `alice`.
static mut packet: [Packet; SLOTS] = [Packet::None; SLOTS];
static mut reply: [Reply; SLOTS] = [Reply::None; SLOTS];

#[task]
fn user() {
    call!(alice.open);
    if any!() {
        call!(alice.give_up);
    }
}

#[task]
fn alice() {
    accept!(open);
    call!(to_peer.syn);
    loop {
        select! {
            accept!(syn_ack) => {
                event!(alice_established);
                call!(to_peer.ack);
                break;
            }
            accept!(old_ack) => { call!(to_peer.rst); }
            accept!(give_up) => { break; }
        }
    }
}

#[task]
fn peer() {
    'run: while any!() {
        select! {
            accept!(syn) => {
                number = Number::New;
                call!(to_alice.syn_ack);
            }
            accept!(old) => {
                number = Number::Old;
                call!(to_alice.old_ack);
            }
            accept!(ack) => {
                if number == Number::New {
                    event!(peer_established);
                    break 'run;
                } else {
                    event!(ack_ignored);
                }
            }
            accept!(rst) => { number = Number::None; }
        }
    }
}

/// The network from `alice` to `peer` also delivers old packets.
#[task]
fn to_peer() {
    while any!() {
        choose! { slot in 0..SLOTS => { carry_to_peer(slot); } }
    }
}

fn carry_to_peer(slot: usize) {
    choose! {
        {
            wait!(packet[slot] == Packet::None);
            select! {
                accept!(syn) => { packet[slot] = Packet::Syn; }
                accept!(ack) => { packet[slot] = Packet::Ack; }
                accept!(rst) => { packet[slot] = Packet::Rst; }
            }
        }
        {
            wait!(packet[slot] == Packet::None);
            packet[slot] = Packet::Old;
        }
        {
            wait!(packet[slot] != Packet::None);
            event!(loss_to_peer);
            packet[slot] = Packet::None;
        }
        { wait!(packet[slot] == Packet::Syn); call!(peer.syn); packet[slot] = Packet::None; }
        { wait!(packet[slot] == Packet::Ack); call!(peer.ack); packet[slot] = Packet::None; }
        { wait!(packet[slot] == Packet::Rst); call!(peer.rst); packet[slot] = Packet::None; }
        { wait!(packet[slot] == Packet::Old); call!(peer.old); packet[slot] = Packet::None; }
    }
}

#[task]
fn to_alice() {
    while any!() {
        choose! { slot in 0..SLOTS => { carry_to_alice(slot); } }
    }
}

fn carry_to_alice(slot: usize) {
    choose! {
        {
            wait!(reply[slot] == Reply::None);
            select! {
                accept!(syn_ack) => { reply[slot] = Reply::SynAck; }
                accept!(old_ack) => { reply[slot] = Reply::OldAck; }
            }
        }
        {
            wait!(reply[slot] != Reply::None);
            event!(loss_to_alice);
            reply[slot] = Reply::None;
        }
        { wait!(reply[slot] == Reply::SynAck); call!(alice.syn_ack); reply[slot] = Reply::None; }
        { wait!(reply[slot] == Reply::OldAck); call!(alice.old_ack); reply[slot] = Reply::None; }
    }
}
