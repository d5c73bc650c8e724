import type { ReactNode } from 'react';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icons.ts';
import { Skeleton } from '../ui/parts.tsx';
import './notices.css';

interface NoticesBoxProps {
  readonly title: string;
  /** Beside the title. */
  readonly action: ReactNode;
  /** Null while they are loading. */
  readonly items: readonly unknown[] | null;
  readonly none: { readonly icon: IconName; readonly text: string };
  readonly children: ReactNode;
}

/** What falls out of the bar: a head, and what there is, waits or is not there. */
export function NoticesBox({ title, action, items, none, children }: NoticesBoxProps) {
  return (
    <div>
      <div className="notices-head">
        <h2>{title}</h2>
        {action}
      </div>
      {items === null && (
        <p className="notices-none">
          <Skeleton width="70%" />
        </p>
      )}
      {items?.length === 0 && (
        <p className="notices-none">
          <Icon name={none.icon} size={22} />
          {none.text}
        </p>
      )}
      {children}
    </div>
  );
}
