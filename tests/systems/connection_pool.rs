//! A pool of database connections that are opened when they are first needed,
//! lent to clients and closed by a reaper when they are idle.

const CLIENTS: usize = 3;
const SIZE: usize = 2;

enum Connection { Closed, Idle, Lent }

static mut connection: [Connection; SIZE] = [Connection::Closed; SIZE];

/// As many clients as there are connections can ask for one.
static PERMIT: Semaphore = Semaphore::new(SIZE);

#[task]
fn pool() {
    loop {
        select! {
            accept!(take(c in 0..CLIENTS)) => { lend(c); }
            k in 0..SIZE => accept!(give_back(k)) => { connection[k] = Connection::Idle; }
            k in 0..SIZE => when connection[k] == Connection::Idle => accept!(reap(k)) => {
                call!(database.close[k]);
                connection[k] = Connection::Closed;
            }
            terminate
        }
    }
}

fn lend(c: usize) {
    for k in 0..SIZE {
        match connection[k] {
            Connection::Lent => {}
            state => {
                if state == Connection::Closed {
                    call!(database.open[k]);
                }
                connection[k] = Connection::Lent;
                call!(client[c].lend(k));
                return;
            }
        }
    }
    event!(exhausted);
    call!(client[c].deny);
}

#[task(c in 0..CLIENTS)]
fn client(c: usize) {
    while any!() {
        PERMIT.acquire();
        call!(pool.take(c));
        select! {
            accept!(lend(k in 0..SIZE)) => {
                while any!() {
                    call!(database.query[k](c));
                }
                call!(pool.give_back(k));
            }
            accept!(deny)
        }
        PERMIT.release();
    }
}

#[task]
fn reaper() {
    while any!() {
        choose! { k in 0..SIZE => { call!(pool.reap(k)); } }
    }
}

#[task]
fn database() {
    loop {
        select! {
            k in 0..SIZE => accept!(open[k])
            k in 0..SIZE => accept!(close[k])
            k in 0..SIZE => accept!(query[k](c in 0..CLIENTS) => { event!(answer(k, c)); })
            terminate
        }
    }
}
