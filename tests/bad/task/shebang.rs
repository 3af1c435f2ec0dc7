#!/usr/bin/env trapline
#[task]
fn main() {
    if x {}
}
