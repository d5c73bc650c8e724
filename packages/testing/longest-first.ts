import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Orders files by how long they took the last time, the longest first, so that the workers end together; files that are not known yet
 * by their size. Files with a browser come last: from the first one on Node follows every promise of its worker for Playwright, which
 * the others need not pay for. Those that start processes wait most and come first.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranks = new Map(files.map(({ moduleId }) => [moduleId, rankOf(moduleId)]));
    const rank = ({ moduleId }: TestSpecification) => ranks.get(moduleId) ?? 0;
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

function rankOf(file: string): number {
  const imported = importsOf(file, new Set());
  if (imported.has('@kontor/testing/browser') || imported.has('playwright-core')) return 2;
  return imported.has('node:child_process') ? 0 : 1;
}

const importName = /\bfrom '([^']+)'/g;

/** What a test file imports from packages, also by way of files beside it. */
function importsOf(file: string, seen: Set<string>): Set<string> {
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(importName)) {
    if (!name.startsWith('.')) seen.add(name);
    else if (isOfTests(file, name)) importsOf(join(dirname(file), name), seen);
  }
  return seen;
}

/** The program itself says nothing about how it is tested. */
function isOfTests(file: string, name: string): boolean {
  return /[/\\]tests[/\\]/.test(join(dirname(file), name));
}
