"""Characters that folding turns into a look-alike, or into a Latin letter beyond ASCII (or into several
letters with one among them). Written by scripts/confusables. Hexadecimal code points."""

from __future__ import annotations

# fmt: off
FORMS = (
    "2e0 2e4 345 37a 3c2 3d0 3d2 3f0 3f1 3f2 3f5 3f9 587 675 1c80 1c84 1c85 1d5d 1d5e 1d61 1d66 1d67 1d68 1d6a "
    "1d78 1f80 1f81 1f82 1f83 1f84 1f85 1f86 1f87 1f88 1f89 1f8a 1f8b 1f8c 1f8d 1f8e 1f8f 1f90 1f91 1f92 1f93 "
    "1f94 1f95 1f96 1f97 1f98 1f99 1f9a 1f9b 1f9c 1f9d 1f9e 1f9f 1fa0 1fa1 1fa2 1fa3 1fa4 1fa5 1fa6 1fa7 1fa8 "
    "1fa9 1faa 1fab 1fac 1fad 1fae 1faf 1fb2 1fb3 1fb4 1fb7 1fbc 1fbe 1fc2 1fc3 1fc4 1fc7 1fcc 1ff2 1ff3 1ff4 "
    "1ff7 1ffc 2094 2107 210f 2126 213d 213e a69d ab69 fb38 fb41 fba6 fba7 fba8 fba9 fbaa fbab fbac fbad fbea "
    "fbeb fbec fbed fc37 fc51 fc52 fc53 fc54 fc80 fc88 fc9b fca0 fca5 fccd fcd6 fcd7 fcd8 fcd9 fcde fce0 fce2 "
    "fce4 fce6 fce8 fcea fcef fcf1 fd31 fd32 fd3c fd3d fd93 fd94 fdf2 fdf3 fdf7 fdfa fdfb fdfc fe8d fe8e fee9 "
    "feea feeb feec fefb fefc 10783 10784 10785 10787 10789 1078a 1078b 1078c 1078d 1078e 1078f 10790 10791 10792 "
    "10793 10794 10795 10796 10797 10798 10799 1079a 1079b 1079d 1079e 107a0 107a2 107a3 107a4 107a6 107a8 107a9 "
    "107aa 107ab 107ac 107ae 107af 107b0 107b2 107b3 107b4 107b5 107b6 107b7 107b8 1d6a4 1d6a5 1d6a8 1d6a9 1d6aa "
    "1d6ac 1d6ae 1d6b0 1d6b1 1d6b4 1d6b6 1d6b8 1d6ba 1d6bb 1d6bc 1d6be 1d6c0 1d6c2 1d6c3 1d6c4 1d6c6 1d6c8 1d6ca "
    "1d6cb 1d6ce 1d6d0 1d6d2 1d6d3 1d6d4 1d6d5 1d6d6 1d6d8 1d6da 1d6dc 1d6de 1d6e0 1d6e2 1d6e3 1d6e4 1d6e6 1d6e8 "
    "1d6ea 1d6eb 1d6ee 1d6f0 1d6f2 1d6f4 1d6f5 1d6f6 1d6f8 1d6fa 1d6fc 1d6fd 1d6fe 1d700 1d702 1d704 1d705 1d708 "
    "1d70a 1d70c 1d70d 1d70e 1d70f 1d710 1d712 1d714 1d716 1d718 1d71a 1d71c 1d71d 1d71e 1d720 1d722 1d724 1d725 "
    "1d728 1d72a 1d72c 1d72e 1d72f 1d730 1d732 1d734 1d736 1d737 1d738 1d73a 1d73c 1d73e 1d73f 1d742 1d744 1d746 "
    "1d747 1d748 1d749 1d74a 1d74c 1d74e 1d750 1d752 1d754 1d756 1d757 1d758 1d75a 1d75c 1d75e 1d75f 1d762 1d764 "
    "1d766 1d768 1d769 1d76a 1d76c 1d76e 1d770 1d771 1d772 1d774 1d776 1d778 1d779 1d77c 1d77e 1d780 1d781 1d782 "
    "1d783 1d784 1d786 1d788 1d78a 1d78c 1d78e 1d790 1d791 1d792 1d794 1d796 1d798 1d799 1d79c 1d79e 1d7a0 1d7a2 "
    "1d7a3 1d7a4 1d7a6 1d7a8 1d7aa 1d7ab 1d7ac 1d7ae 1d7b0 1d7b2 1d7b3 1d7b6 1d7b8 1d7ba 1d7bb 1d7bc 1d7bd 1d7be "
    "1d7c0 1d7c2 1d7c4 1d7c6 1d7c8 1e030 1e031 1e032 1e033 1e034 1e035 1e036 1e037 1e038 1e039 1e03a 1e03b 1e03c "
    "1e03d 1e03e 1e03f 1e040 1e041 1e042 1e043 1e044 1e045 1e046 1e047 1e048 1e049 1e04a 1e04b 1e04c 1e04d 1e04e "
    "1e04f 1e050 1e051 1e052 1e053 1e054 1e055 1e056 1e057 1e058 1e059 1e05a 1e05b 1e05c 1e05d 1e05e 1e05f 1e060 "
    "1e061 1e062 1e063 1e064 1e065 1e066 1e067 1e068 1e069 1e06a 1e06b 1e06c 1e06d 1ee00 1ee24 1ee64 1ee80 1ee84"
)
