import type { ReactNode } from 'react';
import { t } from '../i18n/messages.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import './parts.css';

interface ChipProps {
  readonly children: ReactNode;
  readonly isMute?: boolean;
  /** The accessible name of the remove button. */
  readonly removeLabel?: string;
  readonly onRemove?: () => void;
}

/** One of several values, with an optional button to remove it. */
export function Chip({ children, isMute, removeLabel, onRemove }: ChipProps) {
  return (
    <span
      className={`inline-row gap-half high-24 pad-x-2 small medium nowrap round ${isMute ? 'mut muted' : 'accent tinted'} chip`}
    >
      <span className="dots">{children}</span>
      {onRemove && (
        <button
          type="button"
          className="middle wide-24 high-24 round chip-x"
          aria-label={removeLabel ?? t('Remove')}
          onClick={onRemove}
        >
          <Icon name="x" size={12} />
        </button>
      )}
    </span>
  );
}

/** The meaning of a colour: neutral, success, warning, error or information. */
export type Look = 'mute' | 'ok' | 'warn' | 'bad' | 'info';

/** A status in one word. */
export function Badge({ look = 'mute', children }: { readonly look?: Look; readonly children: ReactNode }) {
  return <span className={`badge badge-${look}`}>{children}</span>;
}

const avatarColours = ['#7a5c86', '#4a7363', '#856338', '#5c6d85', '#8a5a5a', '#4d6f86', '#6a6f45', '#7d5a74'];

interface AvatarProps {
  readonly name: string;
  readonly image?: string | undefined;
  readonly size?: 's' | 'm' | 'l';
}

/** A person's picture or initials. Decorative, because the name is always shown beside it. */
export function Avatar({ name, image, size = 'm' }: AvatarProps) {
  const className = `avatar avatar-${size}`;
  if (image) return <img className={className} src={image} alt="" />;
  return (
    <span className={className} style={{ background: colourOf(name) }} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}

/** An avatar with the name beside it, used wherever a person is shown. */
export function Person({ name, children = name }: { readonly name: string; readonly children?: ReactNode }) {
  return (
    <span className="person">
      <Avatar name={name} size="s" />
      <bdi>{children}</bdi>
    </span>
  );
}

export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) =>
    word ? ([...word][0] ?? '') : '',
  );
  return letters.join('').toUpperCase();
}

/** The same name has the same colour everywhere. */
function colourOf(name: string): string {
  let hash = 0;
  for (const char of name) hash = (hash * 31 + (char.codePointAt(0) as number)) >>> 0;
  return avatarColours[hash % avatarColours.length] as string;
}

/** A placeholder for text that is loading. */
export function Skeleton({ width }: { readonly width?: number | string }) {
  return <span className="skeleton" style={width === undefined ? undefined : { width }} aria-hidden="true" />;
}

interface EmptyStateProps {
  readonly icon: IconName;
  readonly title: string;
  /** It is the only heading of its screen. */
  readonly isWhole?: boolean;
  readonly children?: ReactNode;
  /** The next step, as a button or link. */
  readonly next?: ReactNode;
}

/** Shown where there is no data yet, with the next step. */
export function EmptyState({ icon, title, isWhole = false, children, next }: EmptyStateProps) {
  const Heading = isWhole ? 'h1' : 'h2';
  return (
    <div className="column level centre centred gap-2 share mut empty">
      <span className="middle tinted accent below-2 empty-mark">
        <Icon name={icon} size={26} />
      </span>
      <Heading className="large ink">{title}</Heading>
      {children}
      {next && <div className="line wrap centre gap-2 above-3">{next}</div>}
    </div>
  );
}

interface CheckboxProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly isMixed?: boolean;
  readonly onChange: (isChecked: boolean, event: React.ChangeEvent<HTMLInputElement>) => void;
  readonly tabIndex?: number;
}

/** A checkbox whose label is not visible, but is its accessible name. */
export function Checkbox({ label, isChecked, isMixed = false, onChange, tabIndex }: CheckboxProps) {
  return (
    <input
      type="checkbox"
      className="box"
      aria-label={label}
      checked={isChecked}
      tabIndex={tabIndex}
      ref={(input) => {
        if (input) input.indeterminate = isMixed;
      }}
      onChange={(event) => onChange(event.target.checked, event)}
    />
  );
}
