//! A manager of memory blocks: users ask for a block, open and close it, and
//! give it back.

const BLOCKS: usize = 4;
const USERS: usize = 4;

static mut free: [bool; BLOCKS] = [true; BLOCKS];

#[task(u in 0..USERS)]
fn user(u: usize) {
    while any!() {
        call!(manager.allocate(u));
        select! {
            accept!(give(b in 0..BLOCKS)) => {
                call!(block[b].open);
                call!(block[b].close);
                call!(manager.deallocate(b));
            }
            accept!(deny)
        }
    }
}

#[task]
fn manager() {
    while any!() {
        select! {
            accept!(allocate(u in 0..USERS)) => { serve(u); }
            accept!(deallocate(b in 0..BLOCKS)) => { free[b] = true; }
        }
    }
}

fn serve(u: usize) {
    for b in 0..BLOCKS {
        if free[b] {
            free[b] = false;
            call!(user[u].give(b));
            return;
        }
    }
    call!(user[u].deny);
}

#[task(b in 0..BLOCKS)]
fn block(b: usize) {
    while any!() {
        accept!(open);
        accept!(close);
    }
}
