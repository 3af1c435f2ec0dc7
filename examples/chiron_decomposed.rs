//! The user interface system Chiron after its dispatcher was decomposed: the
//! dispatcher only hands requests on to one dispatcher per event, which keeps
//! the list of the artists registered for it.
//!
//! Every request is handed on inside an accept body. The sender thus waits
//! until the request has been served, and so does the next request: without
//! that an artist could be told of an event after the dispatcher had
//! accepted another one.

const ARTISTS: usize = 2;
const EVENTS: usize = 2;

/// How many artists are registered for an event, and who they are, in order.
static mut size: [int!(0..=ARTISTS); EVENTS] = [0; EVENTS];
static mut list: [[int!(0..=ARTISTS - 1); ARTISTS]; EVENTS] = any!();

#[task]
fn client_init() {
    call!(art_mgr.start_artists);
    call!(application.go);
    accept!(done);
    call!(art_mgr.shutdown);
}

#[task]
fn art_mgr() {
    accept!(start_artists => {
        for i in 0..ARTISTS {
            call!(artist[i].start_artist);
        }
    });
    accept!(shutdown);
    for i in 0..ARTISTS {
        call!(artist[i].terminate_artist);
    }
}

#[task(i in 0..ARTISTS)]
fn artist(i: usize) {
    accept!(start_artist);
    for j in 0..EVENTS {
        call!(dispatcher.register(i, j));
    }
    loop {
        select! {
            accept!(notify_client(j in 0..EVENTS)) => { event!(draw(i, j)); }
            accept!(terminate_artist) => { break; }
        }
    }
    for j in 0..EVENTS {
        call!(dispatcher.unregister(i, j));
    }
}

#[task]
fn application() {
    accept!(go);
    while any!() {
        choose! { j in 0..EVENTS => { call!(adt_wrapper.operation(j)); } }
    }
    call!(client_init.done);
}

#[task]
fn adt_wrapper() {
    while any!() {
        select! {
            accept!(operation(j in 0..EVENTS)) => { call!(dispatcher.notify(j)); }
        }
    }
}

#[task]
fn dispatcher() {
    while any!() {
        select! {
            accept!(register(i in 0..ARTISTS, j in 0..EVENTS) => {
                call!(event_dispatcher[j].register(i));
            })
            accept!(unregister(i in 0..ARTISTS, j in 0..EVENTS) => {
                call!(event_dispatcher[j].unregister(i));
            })
            accept!(notify(j in 0..EVENTS) => { call!(event_dispatcher[j].notify); })
        }
    }
}

#[task(j in 0..EVENTS)]
fn event_dispatcher(j: usize) {
    while any!() {
        select! {
            accept!(register(i in 0..ARTISTS) => { append(i, j); })
            accept!(unregister(i in 0..ARTISTS) => { remove(i, j, size[j]); })
            accept!(notify => { notify_all(j, size[j]); })
        }
    }
}

fn append(i: usize, j: usize) {
    for n in 0..ARTISTS {
        if size[j] == n {
            list[j][n] = i;
            size[j] += 1;
            return;
        }
    }
    event!(out_of_bounds(j));
}

fn remove(i: usize, j: usize, n: usize) {
    for k in 0..n {
        if list[j][k] == i {
            for m in k..n - 1 {
                list[j][m] = list[j][m + 1];
            }
            size[j] -= 1;
            return;
        }
        event!(passed_over(j, k));
    }
}

fn notify_all(j: usize, n: usize) {
    for k in 0..n {
        call!(artist[list[j][k]].notify_client(j));
    }
}
