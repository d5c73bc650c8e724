import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import './button.css';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'default' | 'bare' | 'danger';
  readonly icon?: IconName;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly children?: ReactNode;
}

/** A button with a text and an optional icon before it. */
export function Button({ kind = 'default', icon, children, className, ...rest }: ButtonProps) {
  return (
    <button type="button" className={`btn btn-${kind} ${className ?? ''}`} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName;
  /** The accessible name, also shown as a tooltip. */
  readonly label: string;
  readonly size?: number;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button that shows only an icon; its label is the accessible name and the tooltip. */
export function IconButton({ icon, label, size = 16, className, ...rest }: IconButtonProps) {
  return (
    <button type="button" className={`icon-btn ${className ?? ''}`} aria-label={label} title={label} {...rest}>
      <Icon name={icon} size={size} />
    </button>
  );
}
