import type { LucideIcon } from 'lucide-react';
import { useEffect } from 'react';
import { firstScreen, whileBusy } from '../state/idle.ts';
import { createStore, useStore } from '../state/store.ts';
import { type IconName, icons, isIconName } from './icons.ts';

interface IconProps {
  readonly name: IconName;
  readonly size?: number;
  readonly className?: string;
}

/** Directional icons, which are mirrored in right-to-left pages. */
const pointing = /^(?:arrow|chevrons?|undo|redo|log|send|panel)(?:-(?:left|right|out|in|2).*)?$/;

/** A client icon. Decorative: the control around it has the accessible name. */
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

type MoreIcons = Readonly<Record<string, LucideIcon>>;

/** Former names of Lucide icons that are still in use. */
const renamed: Readonly<Record<string, string>> = {
  'alert-triangle': 'triangle-alert',
  'bar-chart': 'chart-column',
  columns: 'columns-3',
  home: 'house',
  layout: 'layout-dashboard',
  'line-chart': 'chart-line',
  'pie-chart': 'chart-pie',
  sliders: 'sliders-horizontal',
};

const more = createStore<MoreIcons | null>(null);
let loading: Promise<void> | null = null;

interface NamedIconProps extends Omit<IconProps, 'name'> {
  readonly name: string | undefined;
}

/**
 * An icon named by data: an image URL or a Lucide icon. The set is large, so it is loaded on first use; unknown names
 * show a plain box.
 */
export function NamedIcon({ name: given = 'box', size = 16, className = '' }: NamedIconProps) {
  const name = renamed[given] ?? given;
  const loaded = useStore(more);
  const isPicture = name.startsWith('/');
  const isMore = !isPicture && !isIconName(name);
  useEffect(() => {
    if (isMore && !loaded) loadMore();
  }, [isMore, loaded]);
  if (isPicture) {
    return <img className={`icon icon-picture ${className}`} src={name} width={size} height={size} alt="" />;
  }
  if (isIconName(name)) return <Icon name={name} size={size} className={className} />;
  if (!loaded) return <span className={`icon ${className}`} style={{ width: size, height: size }} />;
  const Drawn = loaded[exportName(name)];
  if (!Drawn) return <Icon name="box" size={size} className={className} />;
  return <Drawn size={size} strokeWidth={1.75} aria-hidden="true" focusable="false" className={`icon ${className}`} />;
}

/** `folder-kanban` is exported as `FolderKanban`. */
function exportName(name: string): string {
  return name.replace(/(^|-)([a-z0-9])/g, (_whole, _dash, letter: string) => letter.toUpperCase());
}

function loadMore(): void {
  if (loading) return;
  loading = whileBusy(firstScreen.then(() => import('./more-icons.ts'))).then(
    (icons) => more.set(icons),
    () => more.set({}),
  );
}
