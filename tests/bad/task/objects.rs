static A: Lock = 3;
static B: [Lock; 2] = Lock::new();
static C: Semaphore = Semaphore::new(0);
static D: Semaphore = Semaphore::with_max(3, 2);
static E: Channel<usize> = Channel::new(1);
static F: Channel<bool> = Channel::new(0);
static G: Channel<[bool; 2]> = Channel::new(1);
static H: Channel = Channel::new(1);
static M: Lock = Lock::new();
static L: [Lock; 2] = [Lock::new(); 2];
static S: Semaphore = Semaphore::new(1);
static Q: Channel<int!(0..=2)> = Channel::new(1);
static mut X: int!(0..=5) = 0;

fn take(l: &Lock) {
    l.lock();
}

#[task]
fn main() {
    M.take();
    M.lock(1);
    M = 1;
    X = M;
    L.lock();
    L[2].lock();
    M[0].lock();
    S.lock();
    Q.send();
    Q.send(true);
    Q.send(3);
    Q.send(X);
    take(&S);
    take(&L[any!()]);
    call!(M.lock);
    let local = Lock::new();
    let mut x: bool = Q.recv();
}
