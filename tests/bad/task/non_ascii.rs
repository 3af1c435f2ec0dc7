// Überschrift: ein Schloß und ein Schlüssel – größer als ASCII
#[task]
fn prüfer() {
    /* ✓ */ call!(schloß.öffne); call!(schlüssel.öffne);
}

#[task]
fn schlüssel() {
    accept!(öffne);
}
