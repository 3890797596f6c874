"""Which files a review reads: git's ignore rules, tests, links, what cannot be read."""

import subprocess

import pytest

from reviewer.files.discovery import CannotReviewError, discover_files


@pytest.fixture
def tree(tmp_path):
    def write(*names, root=tmp_path):
        for name in names:
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")

    write.root = tmp_path
    return write


def names(root, *exclude, **options):
    return list(discover_files(root, exclude, **options).sources)


def test_sources_and_manifests_in_order(tree):
    tree("b.py", "a/x.rs", "a/x.txt", "pyproject.toml", "a/Cargo.toml")
    found = discover_files(tree.root)
    assert list(found.sources) == ["a/x.rs", "b.py"]
    assert list(found.manifests) == ["a/Cargo.toml", "pyproject.toml"]


@pytest.mark.parametrize("inside_git", [False, True])
def test_ignore_files_hold_also_outside_a_checkout(tree, inside_git):
    tree("a.py", "b.py", "out/c.py", "sub/a.py", "sub/keep.py", "sub/deep/d.py", "deep/d.py")
    (tree.root / ".gitignore").write_text("b.py\n/out/\n")
    (tree.root / "sub/.gitignore").write_text("*.py\n!keep.py\n/deep\n")
    if inside_git:
        subprocess.run(["git", "init", "-q", tree.root], check=True)
    assert names(tree.root) == ["a.py", "deep/d.py", "sub/keep.py"]


def test_patterns_as_git_reads_them(tree):
    files = ["a/b/c.py", "a/x.py", "docs/a/gen.py", "docs/gen.py", "gen/y.py", "keep/gen.py"]
    tree(*files)
    (tree.root / ".gitignore").write_text("docs/**/gen.py\n/gen/\na/*/c.py\n# a comment\n\\#no.py\n")
    subprocess.run(["git", "init", "-q", tree.root], check=True)
    listed = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"], cwd=tree.root, capture_output=True, text=True, check=True
    )
    assert names(tree.root) == sorted(name for name in listed.stdout.split() if name.endswith(".py"))


def test_ignore_files_above_the_root(tree):
    tree("server/a.py", "server/gen/b.py", "server/c.py")
    subprocess.run(["git", "init", "-q", tree.root], check=True)
    (tree.root / ".gitignore").write_text("/server/gen/\n")
    (tree.root / ".git/info/exclude").write_text("c.py\n")
    assert names(tree.root / "server") == ["a.py"]


def test_ignore_files_above_the_checkout_do_not_hold(tree):
    tree("server/a.py")
    (tree.root / ".gitignore").write_text("*.py\n")
    subprocess.run(["git", "init", "-q", tree.root / "server"], check=True)
    assert names(tree.root / "server") == ["a.py"]


def test_tests_are_left_out_unless_wanted(tree):
    tree(
        "tests/a.py",
        "src/test_b.py",
        "src/b_test.py",
        "src/conftest.py",
        "src/c.py",
        "src/x_tests.rs",
        "src/testing.py",
    )
    assert names(tree.root) == ["src/c.py", "src/testing.py"]
    assert len(names(tree.root, tests=True)) == 7


def test_a_module_of_a_package_that_is_only_called_like_tests_is_read(tree):
    tree("pkg/__init__.py", "pkg/test_runs.py", "pkg/test_plan.py", "test_try.py")
    (tree.root / "pkg/test_runs.py").write_text("def list_test_runs():\n    return []\n")
    (tree.root / "pkg/test_plan.py").write_text("def test_plan():\n    pass\n")
    (tree.root / "test_try.py").write_text("print(1)\n")
    assert names(tree.root) == ["pkg/__init__.py", "pkg/test_runs.py"]


def test_exclusions_of_the_caller(tree):
    tree("a.py", "old/b.py", "src/old/c.py", "src/d.py")
    assert names(tree.root, "/old/", "d.py") == ["a.py", "src/old/c.py"]


def test_folders_that_hold_no_source_of_the_server(tree):
    tree(".venv/a.py", "node_modules/b.py", "target/c.rs", "__pycache__/d.py", "site-packages/e.py", "f.py")
    assert names(tree.root) == ["f.py"]


def test_a_byte_order_mark_is_no_part_of_the_source(tree):
    (tree.root / "a.py").write_bytes(b"\xef\xbb\xbfx = 1\n")
    assert discover_files(tree.root).sources["a.py"].data == b"x = 1\n"


def test_links_within_the_tree_are_passed_over_in_silence(tree):
    tree("a.py", "sub/b.py")
    (tree.root / "link.py").symlink_to(tree.root / "a.py")
    (tree.root / "up").symlink_to(tree.root)
    found = discover_files(tree.root)
    assert (list(found.sources), found.broken) == (["a.py", "sub/b.py"], [])


def test_a_dangling_link_is_named(tree):
    (tree.root / "gone.py").symlink_to("/nowhere/gone.py")
    assert [each.reason for each in discover_files(tree.root).broken] == [
        "a link out of the reviewed folder is not followed"
    ]


def test_a_link_as_the_path_itself_is_followed(tree):
    tree("server/a.py")
    (tree.root / "link").symlink_to(tree.root / "server")
    assert names(tree.root / "link") == ["a.py"]


def test_a_missing_path(tree):
    with pytest.raises(CannotReviewError, match="no such file"):
        discover_files(tree.root / "none")
