import type { Wallet } from "@florin/sdk";
import { SimpleGrid, Text } from "@mantine/core";
import { IconBuildingBank } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { resourceQuery } from "../api/queries.ts";
import { Money } from "../ui/money.tsx";
import { Page } from "../ui/page.tsx";
import { Empty, Loaded } from "../ui/states.tsx";
import { DepositButton } from "./deposit-button.tsx";
import classes from "./wallets-page.module.css";

export function WalletsPage() {
  const wallets = useQuery(resourceQuery<Wallet[]>("/api/v1/wallets"));
  return (
    <Page
      title="Wallets"
      lead="Your organization's money, one wallet for each currency. Cards are funded from here."
      actions={<DepositButton />}
    >
      <Loaded query={wallets}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon={IconBuildingBank} title="No wallet yet">
              The first deposit in a currency opens its wallet.
            </Empty>
          ) : (
            <SimpleGrid cols={{ base: 1, xs: 2, lg: 3 }}>
              {list.map((wallet) => (
                <Link
                  key={wallet.walletId}
                  to={`/wallets/${wallet.walletId}`}
                  className={classes.wallet ?? ""}
                >
                  <Text size="sm" c="dimmed">
                    {wallet.currency} wallet
                  </Text>
                  <Text fz={26} fw={600} lh={1.3}>
                    <Money amount={wallet.balance} currency={wallet.currency} />
                  </Text>
                  <Text size="sm" c="dimmed">
                    <Money amount={wallet.availableBalance} currency={wallet.currency} /> available
                  </Text>
                </Link>
              ))}
            </SimpleGrid>
          )
        }
      </Loaded>
    </Page>
  );
}
