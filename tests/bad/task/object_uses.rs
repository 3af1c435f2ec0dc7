static UNUSED: Lock = Lock::new();
static HELD: Lock = Lock::new();
static FOREIGN: Lock = Lock::new();
static NEVER: Semaphore = Semaphore::with_max(0, 1);
static SILENT: Channel<bool> = Channel::new(1);
static LOST: Channel<bool> = Channel::new(1);

#[task]
fn a() {
    HELD.lock();
    FOREIGN.lock();
    FOREIGN.unlock();
    SILENT.recv();
}

#[task]
fn b() {
    FOREIGN.unlock();
    NEVER.acquire();
    LOST.send(true);
}
