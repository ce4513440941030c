import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import {
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconSun,
  IconUserCircle,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useLogOut } from "../session/use-log-out.ts";
import { useMe } from "../session/use-me.ts";

const SCHEMES = [
  { value: "light", label: "Light", icon: IconSun },
  { value: "dark", label: "Dark", icon: IconMoon },
  { value: "auto", label: "As the system", icon: IconDeviceDesktop },
] as const;

export function AccountMenu() {
  const { person, organization } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const logOut = useLogOut();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton>
          <span className="visually-hidden">Account of {person?.name}</span>
          <Avatar size={32} color="evergreen" variant="filled" aria-hidden>
            {initialsOf(person?.name ?? "")}
          </Avatar>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Text size="sm" fw={600} px="sm" pt="xs">
          {person?.name}
        </Text>
        <Text size="xs" c="dimmed" px="sm" pb="xs">
          {person?.role} · {organization?.name}
        </Text>
        <Menu.Divider />
        <Menu.Item
          component={Link}
          to="/settings/profile"
          leftSection={<IconUserCircle size={16} />}
        >
          Profile and sessions
        </Menu.Item>
        <Menu.Divider />
        {SCHEMES.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={16} />}
            onClick={() => setColorScheme(value)}
            rightSection={colorScheme === value ? <Text size="xs">chosen</Text> : undefined}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => logOut.mutate()}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== "");
  return [words.at(0), words.length > 1 ? words.at(-1) : undefined]
    .map((word) => word?.charAt(0).toUpperCase() ?? "")
    .join("");
}
