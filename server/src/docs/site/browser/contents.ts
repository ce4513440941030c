import { all, first } from "./dom.ts";

/** Marks in the sidebar what is being read, and puts the sidebar away once a link was followed. */
export function startContents(): void {
  const sidebar = first("#site-contents", HTMLElement);
  if (sidebar === undefined) return;
  const links = all("a", HTMLAnchorElement, sidebar).filter(
    (link) => link.pathname === location.pathname && link.hash !== "",
  );
  const targets = links.flatMap((link) => document.getElementById(link.hash.slice(1)) ?? []);
  const visible = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) visible.add(target);
        else visible.delete(target);
      }
      const current = targets.find((target) => visible.has(target));
      if (current !== undefined) mark(links, current.id);
    },
    // The band below the header in which a text counts as being read.
    { rootMargin: "-80px 0px -65% 0px" },
  );
  for (const target of targets) observer.observe(target);
  sidebar.addEventListener("click", ({ target }) => {
    const isLink = target instanceof Element && target.closest("a") !== null;
    if (isLink && sidebar.matches(":popover-open")) sidebar.hidePopover();
  });
}

function mark(links: HTMLAnchorElement[], id: string): void {
  for (const link of links) {
    if (link.hash === `#${id}`) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}
