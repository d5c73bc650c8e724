import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A page that is open while the client is built again, and once more, still finds its files. */
const kept = 3;

/** Removes the assets that none of the last builds has. `listFile` remembers which build had what, the newest first. */
export async function keepBuilds(folder, listFile, files) {
  const earlier = JSON.parse(await readFile(listFile, 'utf8').catch(() => '[]'));
  const builds = [[...files].sort(), ...earlier.filter((build) => !isSame(build, files))].slice(0, kept);
  await writeFile(listFile, JSON.stringify(builds));
  const wanted = new Set(builds.flat());
  for (const name of await readdir(folder))
    if (!wanted.has(name.replace(/(\.map)?(\.gz|\.br)?$/, ''))) await rm(join(folder, name), { force: true });
}

function isSame(build, files) {
  return build.length === files.length && files.every((file) => build.includes(file));
}
