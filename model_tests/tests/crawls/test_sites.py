"""Sites: generated webs, real directories, random small ones, and the shrinker."""

import os
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import NoReturn

import pytest

from impl.crawl.record import Record
from impl.crawl.scope import Scope
from impl.sim.choices import Choices
from impl.web.limits import LIMITS
from impl.web.serving.directory import Directory, directory_site
from impl.web.serving.generated_web import generate
from impl.web.serving.site import Broken, Html, Moved, Raw, Site, places
from impl.web.url import canonical, split

from ...crawls.oracle import oracle
from ...crawls.sites import draw, shrink, size, smaller, urls_of


def drawn(seed: int) -> Site:
    return draw(Choices.seeded(seed).program)


@pytest.mark.parametrize("pages", [1, 2, 5, 13, 60, 200])
@pytest.mark.parametrize("seed", [0, 1])
def test_all_of_a_generated_web_is_reached_but_what_is_to_be_cut(pages: int, seed: int) -> None:
    site = generate(Choices.seeded(seed).program, pages, 100)
    rows = oracle(site, Scope(site.roots, strict=False).allows)
    beyond = [url for url in site.resources if "/beyond-" in url]
    assert sorted([*(row.url for row in rows), *beyond]) == sorted(site.resources)
    ordinary = [url for url in site.resources if split(url).target == "/" or "/page-" in url]
    assert len(ordinary) == pages


def test_a_generated_web_shows_all_that_can_go_wrong() -> None:
    rows = oracle(generate(Choices.seeded(3).program, 60, 100))
    errors = Counter(f"{row.error} {row.status or ''}".strip() for row in rows if row.error)
    assert set(errors) == {"status 404", "status 500", "refused", "no-such-host", "reset", "incomplete"}
    by_url = {row.url: row for row in rows}
    expected = {*("text/html; charset=utf-8", "text/plain; charset=utf-8", "image/gif")}
    assert {row.content_type for row in rows if row.outcome == "page"} == expected
    meets = [row for row in rows if "/meet-" in row.url and row.url.count("-") == 1]
    assert meets
    assert {row.budget for row in meets} == {8}
    assert any(row.outcome == "redirect" and row.budget == 0 and row.target not in by_url for row in rows)


def test_small_and_large_generated_webs() -> None:
    site = generate(Choices.plain().program, 2, 0)
    root = "http://www.example.test/"
    assert site.roots == (root,)
    assert site.resources == {
        root: Html((f"{root}page-1", f"{root}old-0")),
        f"{root}page-1": Html(),
        f"{root}old-0": Moved(f"{root}new-0", 301),
        f"{root}new-0": Html((root,)),
    }
    sizes = {pages: len(generate(Choices.plain().program, pages, 0).roots) for pages in (1, 24, 25, 50, 500)}
    assert sizes == {1: 1, 24: 1, 25: 2, 50: 3, 500: 3}
    assert generate(Choices.seeded(7).program, 40, 9) == generate(Choices.seeded(7).program, 40, 9)
    assert generate(Choices.seeded(7).program, 40, 9) != generate(Choices.seeded(8).program, 40, 9)


@pytest.mark.parametrize("pages", [1, 2, 12, 50])
def test_a_slow_page_is_far_slower_than_all_others(pages: int) -> None:
    site = generate(Choices.seeded(5).program, pages, 10)
    slow = [resource.latency_ms for url, resource in site.resources.items() if "/slow-" in url]
    assert slow == [200] * len(slow)
    assert bool(slow) == (pages >= 6)
    assert all(resource.latency_ms <= 10 for url, resource in site.resources.items() if "/slow-" not in url)


@pytest.mark.parametrize("site", [generate(Choices.seeded(1).program, 60, 5), drawn(1), drawn(2)])
def test_sites_hold_canonical_urls_only(site: Site) -> None:
    assert all(canonical(url) == url for url in urls_of(site))


@pytest.mark.parametrize(("pages", "latency"), [(0, 1), (-1, 1), (1, -1)])
def test_a_web_without_pages_or_with_negative_latency_is_refused(pages: int, latency: int) -> None:
    with pytest.raises(ValueError, match=r"at least one page|latency must be 0 ms or more"):
        generate(Choices.plain().program, pages, latency)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small site with a secret beside it, and links of all kinds."""
    root = tmp_path / "site"
    files = {
        "index.html": '<a href="sub/">s</a> <a href="missing.html">m</a> <a href="a%20b.HTML">a</a>',
        "sub/index.html": "<a href=../data.bin>d</a>",
        "a b.HTML": "space",
        "data.bin": "\0",
        "ä.txt": "umlaut",
        "50%.txt": "percent",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    (tmp_path / "secret.html").write_text("secret")
    (root / "out.html").symlink_to("../secret.html")
    (root / "up").symlink_to("..")
    (root / "in.html").symlink_to("sub/index.html")
    (root / "loop.html").symlink_to("loop.html")
    return root


def test_files_by_url(tree: Path) -> None:
    files = Directory(tree)
    names = ["50%25.txt", "a%20b.HTML", "data.bin", "in.html", "", "sub/", "%C3%A4.txt"]
    assert list(files) == [f"http://site.test/{name}" for name in names]
    assert len(files) == len(names)
    assert all(canonical(url) == url for url in files)
    assert files["http://site.test/sub/"] == Raw(b"<a href=../data.bin>d</a>", "text/html")
    assert files["http://site.test/in.html"] == files["http://site.test/sub/"]
    assert files["http://site.test/a%20b.HTML"] == Raw(b"space", "text/html")
    assert files["http://site.test/data.bin"] == Raw(b"\0", "application/octet-stream")
    assert files["http://site.test/50%25.txt"] == Raw(b"percent", "text/plain")


# The last path leaves by a link and returns: its end counts.
@pytest.mark.parametrize(
    "alias", ["sub/index.html", "sub/?query", "s%75b/", "sub/index%2Ehtml?", "up/site/sub/index.html"]
)
def test_other_spellings_of_a_file(tree: Path, alias: str) -> None:
    files = Directory(tree)
    assert files[f"http://site.test/{alias}"] == files["http://site.test/sub/"]


@pytest.mark.parametrize(
    "path",
    [
        *("missing.html", "sub", "sub//", "//", "index.html/"),
        *("out.html", "up/secret.html", "up/", "loop.html"),
        *("%2e%2e/secret.html", "%2E%2e%2Fsecret.html", "..%2fsecret.html", "..%5csecret.html"),
        *("sub%2findex.html", "%2Fetc%2Fpasswd", "/etc/passwd", "data.bin%00", "%ff.html", "%"),
    ],
)
def test_what_is_missing_or_outside_is_not_there(tree: Path, path: str) -> None:
    files = Directory(tree)
    url = canonical(f"http://site.test/{path}")
    assert url is not None
    assert url not in files
    assert files.get(url) is None


@pytest.mark.parametrize("url", ["https://site.test/", "http://site.test:81/", "http://other.test/", "nonsense"])
def test_only_the_one_origin_is_served(tree: Path, url: str) -> None:
    assert url not in Directory(tree)


def test_a_file_is_read_when_it_is_asked_for_as_far_as_a_client_takes_it(tree: Path) -> None:
    site = directory_site(tree)
    (tree / "data.bin").write_bytes(b"later")
    assert site.resources["http://site.test/data.bin"] == Raw(b"later", "application/octet-stream")
    os.truncate(tree / "data.bin", 3 << 30)  # 3 GB of zeros, which are not stored
    resource = Directory(tree)["http://site.test/data.bin"]
    assert isinstance(resource, Raw)
    assert len(resource.body) == LIMITS.body_bytes + 1


def test_a_file_that_cannot_be_read_is_forbidden(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, mode: str) -> NoReturn:
        raise PermissionError(path)

    monkeypatch.setattr(Path, "open", refuse)
    assert Directory(tree)["http://site.test/"] == Broken("status", 403)


def test_a_directory_is_crawled_from_its_index(tree: Path) -> None:
    site = directory_site(tree)
    rows = {split(row.url).target: (row.outcome, row.status, row.content_type) for row in oracle(site)}
    assert site.roots == ("http://site.test/",)
    assert rows == {
        "/": ("page", 200, "text/html"),
        "/sub/": ("page", 200, "text/html"),
        "/a%20b.HTML": ("page", 200, "text/html"),
        "/data.bin": ("page", 200, "application/octet-stream"),
        "/missing.html": ("error", 404, ""),
    }


def test_no_directory_and_no_index_are_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=rf"^not a directory: {re.escape(str(tmp_path))}/none$"):
        directory_site(tmp_path / "none")
    with pytest.raises(ValueError, match=r"^the directory has no index\.html, where its site would start: "):
        directory_site(tmp_path)
    (tmp_path / "index.html").touch()
    with pytest.raises(ValueError, match=r"^not a directory: "):
        directory_site(tmp_path / "index.html")


def test_the_digest_changes_with_names_and_contents_only(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree.parent / "link").symlink_to(tree)
    monkeypatch.chdir(tree.parent)
    digests = {Directory(name).digest() for name in ("link", os.path.join(".", "site"), tree)}
    assert len(digests) == 1
    seen = [Directory(tree).digest()]
    assert len(seen[0]) == 32
    assert Directory(tree).digest() == seen[0]
    (tree / "data.bin").write_bytes(b"\1")
    seen.append(Directory(tree).digest())
    (tree / "data.bin").rename(tree / "date.bin")
    seen.append(Directory(tree).digest())
    (tree.parent / "secret.html").write_text("what is outside does not count")
    assert Directory(tree).digest() == seen[-1]
    (tree / "new").touch()
    seen.append(Directory(tree).digest())
    assert len(set(seen)) == len(seen)


def test_random_sites_keep_their_promises() -> None:
    """Small, with a root, a small limit and small latencies; dead hosts are dead for all; nothing is silent."""
    for seed in range(300):
        site = drawn(seed)
        alive = [url for url in urls_of(site) if "//a.test/" in url or "//b.test/" in url]
        assert 1 <= len(alive) <= 12
        assert 1 <= len(site.roots) <= 3
        assert 0 <= site.limit <= 3
        assert all(0 <= resource.latency_ms <= 5 for resource in site.resources.values())
        assert_hosts_are_definite(site)
        for url in urls_of(site):
            fault = {"down.test": "refused", "gone.test": "no-such-host"}.get(split(url).host)
            resource = site.resources.get(url)
            if fault is not None or isinstance(resource, Broken):
                assert isinstance(resource, Broken)
                assert resource.fault == fault if fault else resource.fault not in ("refused", "silent")


def assert_hosts_are_definite(site: Site) -> None:
    known = places(site)
    for url in urls_of(site):
        address = split(url)
        listening = known.get((address.host, address.port))
        resource = site.resources.get(url)
        fault = resource.fault if isinstance(resource, Broken) else "none"
        assert {"refused": False, "no-such-host": None}.get(fault, True) is listening


def test_random_sites_are_various() -> None:
    sites = [drawn(seed) for seed in range(300)]
    kinds = Counter(type(resource).__name__ for site in sites for resource in site.resources.values())
    assert kinds["Moved"] > 0.3 * kinds.total()
    faults = {r.fault for site in sites for r in site.resources.values() if isinstance(r, Broken)}
    assert faults == {"status", "refused", "no-such-host", "incomplete", "reset", "garbage", "no-location"}
    assert {len(site.roots) for site in sites} == {1, 2, 3}
    assert {site.limit for site in sites} == {0, 1, 2, 3}
    assert {len({split(url).host for url in site.roots}) for site in sites} == {1, 2}
    assert draw(Choices.plain().program) == Site({"http://a.test/": Html()}, ("http://a.test/",), 0)


@pytest.mark.parametrize("seed", range(20))
def test_each_step_of_the_shrinker_is_strictly_smaller_and_still_a_site(seed: int) -> None:
    site = drawn(seed)
    for candidate in smaller(site):
        assert size(candidate) < size(site)
        assert candidate.roots
        assert candidate.limit >= 0
        assert oracle(candidate)
        assert_hosts_are_definite(candidate)


def test_what_always_fails_shrinks_to_nothing_and_the_site_stays() -> None:
    for seed in range(20):
        least = shrink(drawn(seed), lambda site: True)
        assert (least.resources, len(least.roots), least.limit) == ({}, 1, 0)
    site = drawn(3)
    frozen = Site(MappingProxyType(dict(site.resources)), site.roots, site.limit)
    shrink(frozen, lambda candidate: len(candidate.roots) >= 1)
    assert frozen.resources == site.resources


@pytest.mark.parametrize(
    ("sought", "urls"),
    [
        *((lambda row: row.error == "protocol", {1}), (lambda row: row.error == "refused", {1})),
        (lambda row: row.status == 308, {1, 2}),
        (lambda row: row.outcome == "page" and row.size < 2_000 and len(row.links) == 2, {2, 3}),
        (lambda row: row.budget == 2 and row.error == "status", {1}),
    ],
    ids=["garbage", "refused", "308", "two links", "a full budget"],
)
def test_what_one_record_shows_shrinks_to_it(sought: Callable[[Record], bool], urls: set[int]) -> None:
    def fails(site: Site) -> bool:
        return any(sought(row) for row in oracle(site))

    found = [site for seed in range(100) if fails(site := drawn(seed))]
    assert found
    assert {len(urls_of(shrink(site, fails))) for site in found} == urls
