import { type IconName, icons } from './icons.ts';

export interface IconProps {
  readonly name: IconName;
  readonly size?: number;
  readonly className?: string;
}

/** They point along the line, so they turn with it. */
const pointing = /^(?:arrow|chevrons?|undo|redo|log|send|panel)(?:-(?:left|right|out|in|2).*)?$/;

/** Decoration only: the control that holds it carries the name. */
export function Icon({ name, size = 16, className }: IconProps) {
  const Drawn = icons[name];
  return (
    <Drawn
      size={size}
      strokeWidth={1.75}
      aria-hidden="true"
      focusable="false"
      className={`icon ${pointing.test(name) ? 'icon-points' : ''} ${className ?? ''}`}
    />
  );
}
