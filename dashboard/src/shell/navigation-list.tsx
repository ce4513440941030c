import { Link } from "@tanstack/react-router";
import { useMe } from "../session/use-me.ts";
import { navigationFor } from "./navigation.ts";
import classes from "./navigation-list.module.css";

export function NavigationList() {
  const groups = navigationFor(useMe());
  return groups.map(({ title, destinations }) => (
    <div key={title ?? "work"}>
      {title !== undefined && <div className={classes.title}>{title}</div>}
      <ul className={classes.list} {...(title === undefined ? {} : { "aria-label": title })}>
        {destinations.map(({ to, label, icon: Icon }) => (
          <li key={to}>
            <Link to={to} className={classes.link ?? ""} activeOptions={{ exact: to === "/" }}>
              <Icon size={18} stroke={1.7} aria-hidden />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ));
}
