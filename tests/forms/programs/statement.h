bump(1);
