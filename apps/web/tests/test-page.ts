export type { TestPage } from '@kontor/testing/browser';
