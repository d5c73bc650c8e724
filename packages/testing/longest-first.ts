import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of the client, without a browser. */
const plain = [
  ...['domain-editor', 'figures', 'form-lines', 'i18n', 'kanban-board', 'list-parts', 'memory', 'pivot-table'],
  ...['planning', 'rights', 'search-state', 'typed-dates', 'words'],
];

/** What takes longest: browsers, then processes and what waits for real time, then everything on a database. */
const ranks = [
  /apps\/web\/tests\/every-screen/,
  /apps\/server\/tests\/(stopping|processes|replica|database-down|fuzz\/)|sale_project\/tests\/apps-together/,
  new RegExp(`apps/web/tests/(?!(${plain.join('|')})\\.)`),
  /apps\/server\//,
  /addons\//,
  /packages\/kernel\//,
];

/** The workers end together when what is left for the end is short. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const at = ranks.findIndex((rank) => rank.test(moduleId));
      return at < 0 ? ranks.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
