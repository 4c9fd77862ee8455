// A canary is a line that says something once. Templates mark its core with «»: what must survive.

/** Kinds of canaries, in the order of the tables. */
export const KINDS = ['rule', 'decision', 'id', 'path', 'number', 'error', 'edit'];
/** Kinds that the extractive summarizer is meant for. */
export const MEANT = ['error', 'path', 'id', 'decision'];

/**
 * Draws canaries of templates and keeps the list of them.
 * @param {object} g draws of the session
 */
export function canaries(g) {
  const list = [];
  const cores = new Set();
  return {
    list,
    /** One canary: the text without its marks. `where` is the part of the session that holds it. */
    put: (kind, templates, place, where) => {
      for (;;) {
        const marked = g.pick(templates)(g);
        const core = marked.slice(marked.indexOf('«') + 1, marked.indexOf('»'));
        // A core is compared with JSON as well as with text, so it must look the same in both.
        if (core === '' || JSON.stringify(core) !== `"${core}"`)
          throw new Error(`no plain core: ${marked}`);
        if (cores.has(core)) continue;
        cores.add(core);
        const text = marked.replaceAll(/[«»]/g, '');
        const line = text.split('\n').find((candidate) => candidate.includes(core));
        list.push({ kind, core, line, place, ...where });
        return text;
      }
    },
  };
}
