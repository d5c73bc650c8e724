import type { SettingsFacts, SettingsScreenData, SidebarMenu } from '@kontor/protocol';
import { useState } from 'react';
import { t, tn } from '../../i18n/messages.ts';
import { Icon, NamedIcon } from '../../ui/icon.tsx';
import { Badge, EmptyState, type Look } from '../../ui/parts.tsx';
import { Page } from '../page.tsx';
import type { ScreenProps } from '../screen-definition.ts';
import './styles.css';

/** All settings: an overview with the current state, then every page by section. */
export function SettingsScreen({ data }: ScreenProps<SettingsScreenData>) {
  const [text, setText] = useState('');
  const tiles = [...(data.facts ? overviewTiles(data.facts) : []), profileTile(), referenceTile()];
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
        <ul className="stack gap-4 page-grid">
          {shownTiles.map((tile) => (
            <li
              key={tile.key}
              className="stack anchor surface tall framed round-l shade gap-1 packed pad-4 tile settings-tile"
            >
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
      <span className="middle accent tinted square-36 settings-mark">
        <NamedIcon name={tile.icon} size={20} />
      </span>
      <a className="large strong round-3 cover-link tight tile-name" href={tile.href}>
        {tile.name}
      </a>
      <span className="mut">{tile.about}</span>
      {tile.state && (
        <span className="shrink above-1 settings-state">
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
    <section
      className="stack shrink framed round-l surface pad-5 shade card below-4 settings-card"
      aria-labelledby={id}
    >
      <h2 className="pad-x-3" id={id}>
        {section.name}
      </h2>
      <ul>
        {section.items.map((item) => (
          <li key={item.id}>
            <a className="hovers row gap-3 pad-y-1 pad-x-3 round-m" href={item.href} title={about[item.id]}>
              <NamedIcon name={item.icon} className="dim" />
              <span className="grow stack gap-0 medium">
                {item.name}
                {about[item.id] && <span className="cut cut-wide regular small mut">{about[item.id]}</span>}
              </span>
              <Icon name="chevron-right" className="dim" />
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

interface OverviewTile {
  readonly key: string;
  readonly name: string;
  readonly about: string;
  readonly icon: string;
  readonly href: string;
  readonly state?: { readonly text: string; readonly look: Look };
}

function profileTile(): OverviewTile {
  const about = t('Name, language, theme, keys and devices');
  return { key: 'profile', name: t('Your profile'), about, icon: 'circle-user', href: '/web/profile' };
}

function referenceTile(): OverviewTile {
  const about = t('Models, fields and calls for programs');
  return { key: 'reference', name: t('Reference'), about, icon: 'book-open', href: '/web/reference' };
}

/** The pages that administrators use most, each with its current state. */
function overviewTiles(facts: SettingsFacts): readonly OverviewTile[] {
  return [...peopleTiles(facts), ...serviceTiles(facts)];
}

function peopleTiles({ company, companies, people, keys, apps, languages }: SettingsFacts): readonly OverviewTile[] {
  return [
    {
      key: 'company',
      name: t('Company'),
      about: t('Name, address, currency, tax id and logo'),
      icon: 'building-2',
      href:
        companies > 1
          ? '/web?action=base.companies&view_type=list'
          : `/web?action=base.companies&view_type=form&id=${company.id}`,
      state: { text: companies > 1 ? tn('{n} company', '{n} companies', companies) : company.name, look: 'mute' },
    },
    {
      key: 'people',
      name: t('Users'),
      about: t('Users and their access rights'),
      icon: 'users',
      href: '/web?action=base.users&view_type=list',
      state: { text: tn('{n} person', '{n} people', people), look: 'mute' },
    },
    {
      key: 'apps',
      name: t('Apps'),
      about: t('Install, upgrade and uninstall'),
      icon: 'puzzle',
      href: '/web/apps',
      state: { text: tn('{n} app', '{n} apps', apps), look: apps === 0 ? 'warn' : 'mute' },
    },
    {
      key: 'languages',
      name: t('Languages'),
      about: t('Languages that people can use'),
      icon: 'languages',
      href: '/web?action=base.languages&view_type=list',
      state: { text: tn('{n} language', '{n} languages', languages), look: 'mute' },
    },
    {
      key: 'customise',
      name: t('Customisation'),
      about: t('Fields and screens that you changed'),
      icon: 'sliders-horizontal',
      href: '/web/settings/customise',
    },
    {
      key: 'keys',
      name: t('API keys'),
      about: t('Programs that act on behalf of a person'),
      icon: 'key',
      href: '/web?action=base.apikeys&view_type=list',
      state: { text: tn('{n} key', '{n} keys', keys), look: 'mute' },
    },
  ];
}

function serviceTiles({ mail, jobs, errors, automations }: SettingsFacts): readonly OverviewTile[] {
  return [
    {
      key: 'mail',
      name: t('Mail'),
      about: mail.isSetUp ? t('Queued, sent and failed e-mails') : t('Enter your mail server and send a test.'),
      icon: 'mail',
      href: mail.isSetUp ? '/web?action=base.mails&view_type=list' : '/web?action=base.mail_servers&view_type=form',
      state: mailState(mail),
    },
    {
      key: 'jobs',
      name: t('Scheduled jobs'),
      about: t('What runs automatically, and when'),
      icon: 'clock',
      href: '/web?action=base.crons&view_type=list',
      state:
        jobs.failing > 0
          ? { text: tn('{n} failing', '{n} failing', jobs.failing), look: 'bad' }
          : { text: tn('{n} active', '{n} active', jobs.active), look: 'ok' },
    },
    {
      key: 'automations',
      name: t('Automations'),
      about: t('What happens when a record changes'),
      icon: 'zap',
      href: '/web?action=base.automations&view_type=list',
      state: { text: tn('{n} active', '{n} active', automations), look: 'mute' },
    },
    {
      key: 'log',
      name: t('Application log'),
      about: t('Warnings and errors of the server'),
      icon: 'scroll-text',
      href: '/web/settings/app-logs',
      state:
        errors > 0
          ? { text: tn('{n} error today', '{n} errors today', errors), look: 'bad' }
          : { text: t('No errors today'), look: 'ok' },
    },
  ];
}

function mailState({ isSetUp, waiting, dead }: SettingsFacts['mail']): NonNullable<OverviewTile['state']> {
  if (!isSetUp) return { text: t('Not set up'), look: 'warn' };
  if (dead > 0) return { text: tn('{n} given up', '{n} given up', dead), look: 'bad' };
  if (waiting > 0) return { text: tn('{n} waiting', '{n} waiting', waiting), look: 'info' };
  return { text: t('Working'), look: 'ok' };
}
