import type { HomeScreenData } from '@kontor/protocol';
import { timeZone } from '../../i18n/dates.ts';
import { locale, t } from '../../i18n/messages.ts';
import { useBootstrap } from '../../state/bootstrap.ts';
import { EmptyState } from '../../ui/parts.tsx';
import type { ScreenProps } from '../define-screen.ts';
import { Page } from '../page.tsx';
import { AppTiles } from './app-tiles.tsx';
import { FirstSteps } from './first-steps.tsx';
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
