import type { Decision, RemoteDecision } from "@florin/sdk";
import { Text } from "@mantine/core";
import { IconCheck, IconMinus, IconX } from "@tabler/icons-react";
import { Panel } from "../ui/panel.tsx";
import classes from "./decision-trace.module.css";
import { sayCheck } from "./explain.ts";

const ICONS = { Pass: IconCheck, Fail: IconX, Skipped: IconMinus };
const WORDS = { Pass: "Passed", Fail: "Failed", Skipped: "Does not apply" };

/** Every check in its order; the first that fails decides. */
export function DecisionTrace({ decision }: { decision: Decision }) {
  const { model, trace, remote } = decision;
  const failedAt = trace.findIndex(({ result }) => result === "Fail");
  return (
    <Panel
      title="How it was decided"
      lead={
        model === "CustomerManaged"
          ? "Checked by the service, then asked of your endpoint."
          : "Checked by the service. The first check that fails decides."
      }
      isFlush
    >
      <ol className={classes.list}>
        {trace.map((step, index) => (
          <Step key={step.check} step={step} isReached={failedAt < 0 || index <= failedAt} />
        ))}
        {remote !== undefined && <RemoteStep remote={remote} />}
      </ol>
    </Panel>
  );
}

interface StepProps {
  step: Decision["trace"][number];
  /** Nothing after the first failure is looked at. */
  isReached: boolean;
}

function Step({ step: { check, result, responseCode, us }, isReached }: StepProps) {
  const Icon = ICONS[result];
  return (
    <li className={`${classes.step} ${classes[result]}`}>
      <Icon size={17} aria-hidden />
      <span>{sayCheck(check)}</span>
      <span className={`${classes.result} figures`}>
        {isReached ? WORDS[result] : "Not reached"}
        {responseCode !== undefined && ` (${responseCode})`}
        {result !== "Skipped" && us > 0 && ` · ${us} µs`}
      </span>
    </li>
  );
}

function RemoteStep({ remote }: { remote: RemoteDecision }) {
  const Icon = remote.defaultUsed ? IconX : IconCheck;
  return (
    <li className={`${classes.step} ${remote.defaultUsed ? classes.Fail : classes.Pass}`}>
      <Icon size={17} aria-hidden />
      <span>
        {remote.defaultUsed ? "The default decision was used" : "Your endpoint answered"}
        {remote.error !== undefined && (
          <Text component="span" size="sm" ml={6}>
            ({remote.error})
          </Text>
        )}
        {remote.lateDecision !== undefined && (
          <Text component="span" size="sm" ml={6}>
            It said {remote.lateDecision} too late.
          </Text>
        )}
      </span>
      <span className={`${classes.result} figures`}>
        {remote.timedOut ? "Timed out" : "In time"} · {Math.round(remote.durationMs)} of 400 ms
      </span>
    </li>
  );
}
