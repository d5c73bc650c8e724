import { dialogShots } from './dialog-shots.mjs';
import { figureShots } from './figure-shots.mjs';
import { openFirst, recordShots } from './record-shots.mjs';

/** Screens before sign-in. */
export const strangerShots = [
  { name: 'setup', isStranger: true, isBeforeSetup: true, show: (page) => page.go('/setup') },
  { name: 'login', isStranger: true, show: (page) => page.go('/web/login') },
  { name: 'forgot-password', isStranger: true, show: (page) => page.go('/web/forgot-password') },
  { name: 'reset-password', isStranger: true, show: async (page, { world }) => page.go(await world.resetLink()) },
];

const screenShots = [
  { name: 'home', show: (page) => page.go('/web/home') },
  { name: 'apps', show: (page) => page.go('/web/apps') },
  { name: 'settings', show: (page) => page.go('/web/settings') },
  { name: 'app-logs', show: (page) => page.go('/web/settings/app-logs') },
  { name: 'profile', show: (page) => page.go('/web/profile') },
  { name: 'users', show: (page) => page.go('/web?action=base.users&view_type=list') },
  { name: 'user', show: (page) => page.go('/web?action=base.users&view_type=form&id=1') },
  {
    name: 'api-keys',
    async show(page, { world }) {
      await world.rpc('sys.log', 'search', [[]]);
      await page.go('/web?action=base.apikeys&view_type=list');
    },
  },
  { name: 'not-found', show: (page) => page.go('/web/nowhere') },
  {
    name: 'error',
    async show(page) {
      await page.go('/web?action=crm.pipeline&view_type=list');
      await page.page.route('**/web/wc/workspace?*', (route) =>
        route.fulfill({
          status: 500,
          contentType: 'application/json',
          headers: { 'x-request-id': '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
          body: JSON.stringify({
            ok: false,
            result: null,
            error: {
              code: 'INTERNAL_ERROR',
              message: 'Something went wrong on the server.',
              details: { request_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
            },
          }),
        }),
      );
      await page.page.evaluate(() => history.pushState(null, '', '/web?action=sale.orders&view_type=list'));
      await page.page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
      await page.settle();
    },
  },
];

export const signedInShots = [...screenShots, ...recordShots, ...figureShots, ...dialogShots];

/** Shown in German and Arabic as well: a screen of each kind. */
const inLanguages = ['list', 'form', 'kanban', 'calendar', 'home'];
export const languageShots = [
  ...signedInShots.filter(({ name }) => inLanguages.includes(name)),
  {
    name: 'invoice',
    show: (page, { world }) =>
      openFirst(page, world, 'invoice.invoice', 'invoice.invoices', [['state', '=', 'posted']]),
  },
];
