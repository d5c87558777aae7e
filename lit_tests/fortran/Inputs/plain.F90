! A source without OpenMP that the compiler preprocesses.
#if defined CHOICE && defined __GNUC__
subroutine chosen(name)
  character(*), intent(out) :: name
  name = CHOICE
end subroutine chosen
#else
error: the preprocessor did not run
#endif
