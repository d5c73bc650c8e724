import type { SettingsScreenData, SidebarMenu } from '@kontor/protocol';
import { useState } from 'react';
import { t } from '../../i18n/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import { NamedIcon } from '../../ui/named-icon.tsx';
import { Badge, EmptyState } from '../../ui/parts.tsx';
import type { ScreenProps } from '../define-screen.ts';
import { Page } from '../page.tsx';
import { type OverviewTile, overviewTiles, profileTile } from './overview.ts';
import './styles.css';

/** Everything that can be set: how the main things stand, then every place by section. */
export function SettingsScreen({ data }: ScreenProps<SettingsScreenData>) {
  const [text, setText] = useState('');
  const tiles = [...(data.facts ? overviewTiles(data.facts) : []), profileTile()];
  const wanted = text.trim().toLocaleLowerCase();
  const shownTiles = tiles.filter((tile) => matches(wanted, tile.name, tile.about));
  const sections = data.sections
    .map((section) => ({
      ...section,
      items: section.items.filter((item) => matches(wanted, item.name, data.about[item.id], section.name)),
    }))
    .filter((section) => section.items.length > 0);
  return (
    <Page
      title={t('Settings')}
      tools={
        data.isAdmin && (
          <input
            type="search"
            className="input"
            aria-label={t('Find a setting')}
            placeholder={t('Find a setting')}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )
      }
    >
      {shownTiles.length > 0 && (
        <ul className="page-grid">
          {shownTiles.map((tile) => (
            <li key={tile.key} className="tile settings-tile">
              <Tile tile={tile} />
            </li>
          ))}
        </ul>
      )}
      {sections.length > 0 && (
        <div className="settings-sections">
          {sections.map((section) => (
            <SectionCard key={section.id} section={section} about={data.about} />
          ))}
        </div>
      )}
      {shownTiles.length === 0 && sections.length === 0 && (
        <EmptyState icon="search" title={t('Nothing found')}>
          <p>{t('Try another word.')}</p>
        </EmptyState>
      )}
    </Page>
  );
}

function Tile({ tile }: { readonly tile: OverviewTile }) {
  return (
    <>
      <span className="settings-mark">
        <NamedIcon name={tile.icon} size={20} />
      </span>
      <a className="tile-name" href={tile.href}>
        {tile.name}
      </a>
      <span className="mut">{tile.about}</span>
      {tile.state && (
        <span className="settings-state">
          <Badge look={tile.state.look}>{tile.state.text}</Badge>
        </span>
      )}
    </>
  );
}

function SectionCard({
  section,
  about,
}: {
  readonly section: SidebarMenu;
  readonly about: SettingsScreenData['about'];
}) {
  const id = `settings-${section.id}`;
  return (
    <section className="card settings-card" aria-labelledby={id}>
      <h2 id={id}>{section.name}</h2>
      <ul>
        {section.items.map((item) => (
          <li key={item.id}>
            <a href={item.href} title={about[item.id]}>
              <NamedIcon name={item.icon} />
              <span>
                {item.name}
                {about[item.id] && <span className="mut">{about[item.id]}</span>}
              </span>
              <Icon name="chevron-right" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function matches(wanted: string, ...texts: readonly (string | undefined)[]): boolean {
  return wanted === '' || texts.join(' ').toLocaleLowerCase().includes(wanted);
}
