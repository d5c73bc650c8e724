import type { FirstStepsDone, HomeScreenData } from '@kontor/protocol';
import { useState } from 'react';
import { saveSetting } from '../../data/settings.ts';
import { timeZone } from '../../i18n/dates.ts';
import { locale, t } from '../../i18n/messages.ts';
import { bootstrap, useBootstrap } from '../../state/bootstrap.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState } from '../../ui/parts.tsx';
import { Page } from '../page.tsx';
import type { ScreenProps } from '../screen-definition.ts';
import { AppTiles } from './app-tiles.tsx';
import './styles.css';

/** The apps that are installed, pinned ones first, and what to do next where there are none. */
export function HomeScreen({ data }: ScreenProps<HomeScreenData>) {
  const { apps, user, pinnedApps, company } = useBootstrap();
  const [first] = user.name.split(' ');
  const pinned = apps.filter((app) => app.pinned);
  const others = apps.filter((app) => !app.pinned);
  const order = pinnedApps.filter((module) => pinned.some((app) => app.module === module));
  return (
    <Page title={greeting(first ?? user.name)} about={`${today()} · ${company.name}`}>
      {data.steps && apps.length === 0 && <FirstSteps steps={data.steps} />}
      {apps.length === 0 && !data.steps && <NoApps isAdmin={user.isAdmin} />}
      {pinned.length > 0 && (
        <section className="page-section" aria-labelledby="home-pinned">
          <h2 id="home-pinned">{t('Pinned')}</h2>
          <AppTiles apps={pinned} pinned={order} isOrdered />
        </section>
      )}
      {others.length > 0 && (
        <section className="page-section" aria-labelledby="home-others">
          <h2 id="home-others">{pinned.length > 0 ? t('More apps') : t('Apps')}</h2>
          <AppTiles apps={others} pinned={order} isOrdered={false} />
        </section>
      )}
      {data.steps && apps.length > 0 && <FirstSteps steps={data.steps} />}
    </Page>
  );
}

function NoApps({ isAdmin }: { readonly isAdmin: boolean }) {
  if (!isAdmin) {
    return (
      <EmptyState icon="puzzle" title={t('No apps yet')}>
        <p>{t('Ask your administrator which apps are meant for you.')}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon="puzzle"
      title={t('No apps yet')}
      next={
        <a className="btn btn-primary" href="/web/apps">
          {t('Open the catalogue')}
        </a>
      }
    >
      <p>{t('Install the first one from the catalogue.')}</p>
    </EmptyState>
  );
}

function greeting(name: string): string {
  const clock = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: timeZone() });
  const hour = Number(clock.format());
  if (hour < 5 || hour >= 22) return t('Good to see you, {name}', { name });
  if (hour < 11) return t('Good morning, {name}', { name });
  return hour < 18 ? t('Good day, {name}', { name }) : t('Good evening, {name}', { name });
}

function today(): string {
  const format = new Intl.DateTimeFormat(locale(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: timeZone(),
  });
  return format.format();
}

interface Step {
  readonly key: keyof FirstStepsDone;
  readonly title: string;
  readonly about: string;
  readonly href: string;
}

/** What makes a new installation useful, in the order in which people do it. */
function FirstSteps({ steps }: { readonly steps: FirstStepsDone }) {
  const [isHidden, setHidden] = useState(false);
  if (isHidden) return null;
  const list = stepList();
  const next = list.find(({ key }) => !steps[key]);
  const hide = () => {
    setHidden(true);
    saveSetting('home.steps', 'hidden', { delay: 0 });
  };
  return (
    <section className="card home-steps" aria-label={t('First steps')}>
      <header className="home-steps-head">
        <h2>{t('First steps')}</h2>
        <IconButton icon="x" label={t('Put the first steps away')} onClick={hide} />
      </header>
      <ol>
        {list.map(({ key, title, about, href }) => (
          <li key={key} className={steps[key] ? 'is-done' : key === next?.key ? 'is-next' : ''}>
            <a href={href}>
              <span className="home-step-mark">{steps[key] && <Icon name="check" size={14} />}</span>
              <span className="home-step-text">
                <b>
                  {title}
                  {steps[key] && <span className="sr-only"> ({t('done')})</span>}
                </b>
                <span className="mut">{about}</span>
              </span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

function stepList(): readonly Step[] {
  const company = `/web?action=base.companies&view_type=form&id=${bootstrap().activeCompanyId}`;
  return [
    {
      key: 'apps',
      title: t('Install an app'),
      about: t('Contacts, sales, projects: take what you need.'),
      href: '/web/apps',
    },
    {
      key: 'company',
      title: t('Tell about your company'),
      about: t('Address, tax id and logo, for what you print.'),
      href: company,
    },
    {
      key: 'people',
      title: t('Bring your people in'),
      about: t('Make a user for everyone, and say what they may do.'),
      href: '/web?action=base.users&view_type=list',
    },
    {
      key: 'mail',
      title: t('Set up mail'),
      about: t('Set smtp_host and smtp_from in the configuration.'),
      href: '/web/settings',
    },
  ];
}
