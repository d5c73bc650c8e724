import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A language of each script in the demonstration data, and Debian's package with its glyphs. */
const scripts = [
  { language: 'zh', package: 'fonts-noto-cjk' },
  { language: 'ja', package: 'fonts-noto-cjk' },
  { language: 'ko', package: 'fonts-noto-cjk' },
  { language: 'ar', package: 'fonts-noto-core' },
];

/** Without these fonts the browser draws boxes for Chinese, Japanese, Korean or Arabic text. */
export function requireFonts() {
  if (process.platform !== 'linux') return;
  let missing = missingPackages();
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`Installing ${missing.join(' and ')} for the pictures …`);
    const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    spawnSync('apt-get', ['update', '-qq'], options);
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'fontconfig', ...missing], options);
    missing = missingPackages();
  }
  if (missing.length === 0) return;
  console.error(
    `The pictures need fonts for every script. Install them (Debian: apt-get install fontconfig ${missing.join(' ')}).`,
  );
  process.exit(1);
}

function missingPackages() {
  const missing = scripts.filter(({ language }) => {
    const { stdout } = spawnSync('fc-list', [`:lang=${language}`, 'family'], { encoding: 'utf8' });
    return !stdout?.trim();
  });
  return [...new Set(missing.map((script) => script.package))];
}
