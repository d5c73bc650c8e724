import type { LucideIcon } from 'lucide-react';
import { useEffect } from 'react';
import { whileBusy } from '../state/idle.ts';
import { createStore, useStore } from '../state/store.ts';
import { Icon, type IconProps } from './icon.tsx';
import { isIconName } from './icons.ts';

type MoreIcons = Readonly<Record<string, LucideIcon>>;

/** Names that Lucide once had, as people still write them. */
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
 * An icon that data name: a picture by its address, or one of Lucide. That set is large, so it is loaded when the first is
 * needed; an unknown name is a plain box.
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
  loading = whileBusy(import('./more-icons.ts')).then(
    (icons) => more.set(icons),
    () => more.set({}),
  );
}
