const N: usize = 2;
enum Phase { Idle, Busy }
static mut W: [int!(0..=N); 2] = [0; 2];
static mut PHASE: Phase = any!();
static mut ON: bool = true;
fn low(n: usize) -> bool { if n == 0 { return true; } n < 2 }
fn set(x: &mut bool, v: bool) { *x = v; }
#[task(id in 0..N)]
fn cust(id: usize) {
    'outer: while any!() {
        choose! { { event!(skip); } p in 0..2 => { call!(oper.prepay(id, p)); accept!(change => { event!(paid[id]); }); } }
        for i in (0..N).rev() { if i == 1 { continue 'outer; } if ON && W[i] > 0 || PHASE == Phase::Idle { break; } }
    }
}
#[task]
fn oper() {
    let mut x: int!(0..=3) = 0;
    let k = x;
    loop {
        select! {
            c in 0..N => when W[c] < 2 => accept!(prepay(c, p in 0..2) => { W[p] += 1; }) => { call!(cust[c].change); }
            when !ON => call!(log.write(PHASE)) => { return; }
            else => { wait!(ON || W[0] != 1); }
            terminate
        }
        match x { 0 => event!(zero), 1..=2 if low(k) => { x = x + 1; } _ => { W[x] = x * 2 - 1; } }
        set(&mut ON, matches!(PHASE, Phase::Busy));
        foo::bar(&mut x, (1, low(x)));
        println!("{}", x as usize);
    }
}
#[task]
fn log() { accept!(write(p in Phase)); }
