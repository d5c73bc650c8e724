import type { MenuItem } from '@kontor/protocol';
import { useEffect } from 'react';
import { useBootstrap } from '../data/bootstrap.ts';
import { t } from '../i18n/messages.ts';
import { formatInteger } from '../i18n/numbers.ts';
import { NamedIcon } from '../ui/named-icon.tsx';
import { usePlace } from './router.ts';

interface SideMenuProps {
  /** On a phone the menu slides over the screen. */
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function SideMenu({ isOpen, onClose }: SideMenuProps) {
  const { sidebarMenus } = useBootstrap();
  const place = usePlace();
  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the menu of a phone.
  useEffect(onClose, [place.visit]);
  return (
    <>
      {isOpen && <button type="button" className="side-scrim" aria-label={t('Close')} onClick={onClose} />}
      <nav className={`side ${isOpen ? 'is-open' : ''}`} aria-label={t('Menu')}>
        {sidebarMenus.map((section) => (
          <section key={section.id}>
            <h2>{section.name}</h2>
            <ul>
              {section.items.map((item) => (
                <li key={item.id}>
                  <SideLink item={item} isOn={isCurrent(item, place.query)} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </>
  );
}

function SideLink({ item, isOn }: { readonly item: MenuItem; readonly isOn: boolean }) {
  return (
    <a href={item.href} aria-current={isOn ? 'page' : undefined}>
      {item.icon && <NamedIcon name={item.icon} />}
      <span className="side-name">{item.name}</span>
      {item.count !== undefined && <em>{formatInteger(item.count)}</em>}
    </a>
  );
}

/** The menu one came by; where the address names none, the action it leads to. */
function isCurrent(item: MenuItem, query: string): boolean {
  const here = new URLSearchParams(query);
  const there = new URLSearchParams(item.href.split('?')[1] ?? '');
  const menu = here.get('menu_id');
  if (menu) return String(item.id) === menu;
  return here.get('action') !== null && here.get('action') === there.get('action');
}
