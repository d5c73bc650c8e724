export * from './open-test-app.ts';
export type { TestPage } from './test-page.ts';
