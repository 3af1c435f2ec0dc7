//! The alternating-bit protocol: frames and acknowledgements carry one bit
//! over two lines that lose and repeat messages.

#[task]
fn sender() {
    let mut bit: int!(0..=1) = 0;
    loop {
        event!(fetch(bit));
        'repeat: loop {
            select! {
                call!(line[0].put(bit))
                accept!(ack(b in 0..=1)) => {
                    if b == bit {
                        break 'repeat;
                    }
                }
            }
        }
        bit = 1 - bit;
    }
}

#[task]
fn receiver() {
    let mut expected: int!(0..=1) = 0;
    loop {
        select! {
            accept!(frame(b in 0..=1)) => {
                if b == expected {
                    event!(deliver(b));
                    expected = 1 - expected;
                }
                call!(line[1].put(b));
            }
            terminate
        }
    }
}

/// The line 0 carries frames, the line 1 acknowledgements.
#[task(d in 0..2)]
fn line(d: usize) {
    loop {
        select! {
            accept!(put(b in 0..=1)) => {
                if any!() {
                    event!(lost[d]);
                } else {
                    carry(d, b);
                }
            }
            terminate
        }
    }
}

fn carry(d: usize, b: usize) {
    loop {
        if d == 0 {
            call!(receiver.frame(b));
        } else {
            call!(sender.ack(b));
        }
        if any!() {
            break;
        }
    }
}
