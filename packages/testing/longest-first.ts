import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of the client, without a browser. */
const plain = [
  ...['column-widths', 'domain-editor', 'figures', 'form-lines', 'i18n', 'kanban-board', 'list-parts', 'memory'],
  ...['pivot-table', 'planning', 'rights', 'search-state', 'typed-dates', 'words'],
];

const withBrowser = new RegExp(`apps/web/tests/(?!(${plain.join('|')})\\.)|apps/server/tests/dev\\.`);
/** Of those, what takes longer than its size tells. */
const longScreens =
  /(every-screen|whole-words|first-run|sales-story|meetings|client-addons|dates|languages|tutorial)\.test/;

/** What takes longest without a browser: processes and what waits for real time, then everything on a database. */
const ranks = [
  /apps\/server\/tests\/(stopping|processes|replica|database-down|fuzz\/)|sale_project\/tests\/apps-together/,
  /apps\/server\//,
  /addons\//,
  /packages\/kernel\//,
];

/**
 * The workers end together when what is left for the end is short. Files with a browser come last: from the first one on Node follows every
 * promise of its worker for Playwright, which the others need not pay for.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a.moduleId) - rankOf(b.moduleId));
  }
}

function rankOf(file: string): number {
  if (withBrowser.test(file)) return ranks.length + (longScreens.test(file) ? 1 : 2);
  const at = ranks.findIndex((rank) => rank.test(file));
  return at < 0 ? ranks.length : at;
}
