import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Orders files by their last duration, longest first, so that the workers end together; new files by size. Files with a browser
 * come last: from the first one on, Node tracks every promise of its worker for Playwright, which would slow down the others. Those
 * that start processes wait most and come first.
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

/** Imports of a test file from packages, also through neighbouring files. */
function importsOf(file: string, seen: Set<string>): Set<string> {
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(importName)) {
    if (!name.startsWith('.')) seen.add(name);
    else if (isOfTests(file, name)) importsOf(join(dirname(file), name), seen);
  }
  return seen;
}

/** The program itself does not depend on how it is tested. */
function isOfTests(file: string, name: string): boolean {
  return /[/\\]tests[/\\]/.test(join(dirname(file), name));
}
