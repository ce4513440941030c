import { useElementSize } from "@mantine/hooks";
import { useState } from "react";
import classes from "./chart.module.css";
import { ChartTable } from "./chart-table.tsx";
import { niceTop, ticksOf } from "./scale.ts";

const HEIGHT_PX = 220;
const TOP_PX = 8;
const BOTTOM_PX = 24;
const LABEL_WIDTH_PX = 64;
const BAR_MAX_PX = 32;

export interface Series {
  name: string;
  className: string | undefined;
  values: number[];
}

interface ChartProps {
  label: string;
  days: string[];
  /** Stacked on each other, the first at the bottom. */
  series: Series[];
  format: (value: number) => string;
  /** For the axis, where there is little room. */
  formatBrief: (value: number) => string;
}

/** Bars by day. Small enough to draw by hand, so that the first screen carries no chart library. */
export function Chart({ label, days, series, format, formatBrief }: ChartProps) {
  const { ref, width } = useElementSize();
  const [hovered, setHovered] = useState<number>();
  const totals = days.map((_, day) =>
    series.reduce((sum, { values }) => sum + (values[day] ?? 0), 0),
  );
  const top = niceTop(Math.max(...totals, 0));
  const plot = plotOf(width, days.length, top);
  return (
    <div>
      <div ref={ref} className={classes.frame} aria-hidden>
        {/* biome-ignore lint/a11y/noSvgWithoutTitle: the table beside it says the same in words. */}
        <svg className={classes.svg} onMouseLeave={() => setHovered(undefined)}>
          <Scale top={top} plot={plot} width={width} formatBrief={formatBrief} />
          {days.map((day, index) => (
            <g key={day}>
              <Bar series={series} day={index} plot={plot} />
              {isLabelled(index, days.length, plot.step) && (
                <text
                  className={classes.day}
                  x={plot.middle(index)}
                  y={HEIGHT_PX - 6}
                  textAnchor="middle"
                >
                  {day}
                </text>
              )}
              {/* biome-ignore lint/a11y/noStaticElementInteractions: only shows what the table says. */}
              <rect
                className={classes.slot}
                x={plot.middle(index) - plot.step / 2}
                y={0}
                width={plot.step}
                height={HEIGHT_PX - BOTTOM_PX}
                onMouseEnter={() => setHovered(index)}
              />
            </g>
          ))}
        </svg>
        {hovered !== undefined && (
          <div className={classes.tip} style={tipPlace(plot.middle(hovered), width)}>
            <b>{days[hovered]}</b>
            {series.map(({ name, values }) => (
              <div key={name} className="figures">
                {name}: {format(values[hovered] ?? 0)}
              </div>
            ))}
          </div>
        )}
        {series.length > 1 && <Legend series={series} />}
      </div>
      <ChartTable
        label={label}
        head={["Day", ...series.map(({ name }) => name)]}
        rows={days.map((day, index) => [
          day,
          ...series.map(({ values }) => format(values[index] ?? 0)),
        ])}
      />
    </div>
  );
}

interface Plot {
  step: number;
  barWidth: number;
  middle: (day: number) => number;
  y: (value: number) => number;
}

function plotOf(width: number, count: number, top: number): Plot {
  const step = Math.max(0, width - LABEL_WIDTH_PX) / Math.max(count, 1);
  const space = HEIGHT_PX - TOP_PX - BOTTOM_PX;
  return {
    step,
    barWidth: Math.max(1, Math.min(BAR_MAX_PX, step * 0.62)),
    middle: (day) => LABEL_WIDTH_PX + step * (day + 0.5),
    y: (value) => TOP_PX + space * (1 - value / top),
  };
}

function Bar({ series, day, plot }: { series: Series[]; day: number; plot: Plot }) {
  const x = plot.middle(day) - plot.barWidth / 2;
  let below = 0;
  return series.map(({ name, className, values }) => {
    const from = below;
    below += values[day] ?? 0;
    if (below === from) return null;
    const height = plot.y(from) - plot.y(below);
    return (
      <rect
        key={name}
        className={className}
        x={x}
        y={plot.y(below)}
        width={plot.barWidth}
        height={Math.max(1, height)}
        rx={Math.min(3, height / 2)}
      />
    );
  });
}

interface ScaleProps {
  top: number;
  plot: Plot;
  width: number;
  formatBrief: (value: number) => string;
}

function Scale({ top, plot, width, formatBrief }: ScaleProps) {
  return ticksOf(top).map((tick) => (
    <g key={tick}>
      <line
        className={classes.line}
        x1={LABEL_WIDTH_PX}
        x2={width}
        y1={plot.y(tick)}
        y2={plot.y(tick)}
      />
      <text className={classes.scale} x={LABEL_WIDTH_PX - 8} y={plot.y(tick) + 4} textAnchor="end">
        {formatBrief(tick)}
      </text>
    </g>
  ));
}

function Legend({ series }: { series: Series[] }) {
  return (
    <div className={classes.legend}>
      {series.map(({ name, className }) => (
        <div key={name}>
          <i className={`${classes.key} ${className ?? ""}`} />
          {name}
        </div>
      ))}
    </div>
  );
}

/** As many day names as fit, the last one always. */
function isLabelled(index: number, count: number, step: number): boolean {
  const every = Math.max(1, Math.ceil(52 / Math.max(step, 1)));
  return (count - 1 - index) % every === 0;
}

const tipPlace = (middle: number, width: number) =>
  middle > width / 2 ? { right: width - middle + 16 } : { left: middle + 16 };
