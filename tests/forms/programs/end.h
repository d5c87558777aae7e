bump(1);
}
