import { useLocation } from "@tanstack/react-router";
import { useMe } from "../session/use-me.ts";
import { PlainLink } from "../ui/plain-link.tsx";
import { navigationFor } from "./navigation.ts";
import classes from "./navigation-list.module.css";

export function NavigationList() {
  const groups = navigationFor(useMe());
  const { pathname } = useLocation();
  return groups.map(({ title, destinations }) => (
    <div key={title ?? "work"}>
      {title !== undefined && <div className={classes.title}>{title}</div>}
      <ul className={classes.list} {...(title === undefined ? {} : { "aria-label": title })}>
        {destinations.map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <PlainLink to={to} className={classes.link} isCurrent={isWithin(pathname, to)}>
              <Icon size={18} stroke={1.7} aria-hidden />
              {label}
            </PlainLink>
          </li>
        ))}
      </ul>
    </div>
  ));
}

const isWithin = (pathname: string, to: string): boolean =>
  pathname === to || (to !== "/" && pathname.startsWith(`${to}/`));
