//! The three-way handshake of a connection over a network that loses packets
//! and delivers old ones: `alice` opens, `peer` answers.

enum Packet { None, Syn, Ack, Rst, Old }
enum Reply { None, SynAck, OldAck }
enum Number { None, New, Old }

/// The number of the connection that `peer` is asked for.
static mut number: Number = Number::None;

/// What is under way to `peer` and to `alice`: at most one packet each.
static mut packet: Packet = Packet::None;
static mut reply: Reply = Reply::None;

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
        choose! {
            {
                wait!(packet == Packet::None);
                select! {
                    accept!(syn) => { packet = Packet::Syn; }
                    accept!(ack) => { packet = Packet::Ack; }
                    accept!(rst) => { packet = Packet::Rst; }
                }
            }
            {
                wait!(packet == Packet::None);
                packet = Packet::Old;
            }
            {
                wait!(packet != Packet::None);
                event!(loss_to_peer);
                packet = Packet::None;
            }
            { wait!(packet == Packet::Syn); call!(peer.syn); packet = Packet::None; }
            { wait!(packet == Packet::Ack); call!(peer.ack); packet = Packet::None; }
            { wait!(packet == Packet::Rst); call!(peer.rst); packet = Packet::None; }
            { wait!(packet == Packet::Old); call!(peer.old); packet = Packet::None; }
        }
    }
}

#[task]
fn to_alice() {
    while any!() {
        choose! {
            {
                wait!(reply == Reply::None);
                select! {
                    accept!(syn_ack) => { reply = Reply::SynAck; }
                    accept!(old_ack) => { reply = Reply::OldAck; }
                }
            }
            {
                wait!(reply != Reply::None);
                event!(loss_to_alice);
                reply = Reply::None;
            }
            { wait!(reply == Reply::SynAck); call!(alice.syn_ack); reply = Reply::None; }
            { wait!(reply == Reply::OldAck); call!(alice.old_ack); reply = Reply::None; }
        }
    }
}
