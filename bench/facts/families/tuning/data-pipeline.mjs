// A pipeline in Python: pytest, tracebacks, job logs, csv, dbt, a diff.

const snake = (g) => `${g.word()}_${g.word()}`;
const col = (g) => `${g.word()}_${g.letters(4)}`;

const pytest = {
  tool: 'Bash',
  command: () => 'pytest -v',
  fails: true,
  line: (g) =>
    `tests/${g.word()}/test_${snake(g)}.py::test_${snake(g)}${g.pick(['', '_error', `[${g.hex(6)}]`])} PASSED   [${String(g.int(1, 99)).padStart(3)}%]`,
  foot: (g) => `===== ${g.int(200, 900)} passed in ${g.num(2, 90, 2)}s =====`,
  says: {
    error: [
      (g) => `E       «KeyError: no column ${col(g)} in frame»`,
      (g) =>
        `FAILED tests/test_${snake(g)}.py::test_${snake(g)} - «ValueError: could not convert ${col(g)} to float»`,
      (g) =>
        `Traceback (most recent call last):\n  File /srv/etl/${snake(g)}.py, line ${g.int(9, 400)}, in run\n«pandas.errors.MergeError: ${col(g)} is not unique in the left frame»`,
    ],
    path: [(g) => `generated html report: «/srv/etl/reports/${col(g)}.html»`],
    number: [(g) => `slowest: «${g.num(100, 900, 2)}s call» test_${snake(g)}`],
  },
};

const job = {
  tool: 'Bash',
  command: (g) => `airflow tasks logs ${snake(g)}`,
  line: (g) =>
    g.pick([
      () =>
        `[${g.clock()}] {taskinstance.py:${g.int(100, 900)}} INFO - processed batch ${g.hex(8)}, ${g.int(10, 900)} rows, 0 errors`,
      () =>
        `[${g.clock()}] {s3.py:${g.int(100, 900)}} INFO - read s3://lake/${g.word()}/part-${g.digits(5)}.parquet`,
    ])(),
  says: {
    error: [
      (g) =>
        `[${g.clock()}] {taskinstance.py:${g.int(100, 900)}} ERROR - «Task failed: partition ${col(g)} has no data»`,
      (g) =>
        `[${g.clock()}] {spark.py:${g.int(100, 900)}} ERROR - «ExecutorLostFailure (executor ${g.digits(5)} exited: container killed)»`,
    ],
    id: [
      (g) =>
        `[${g.clock()}] {spark.py:${g.int(100, 900)}} INFO - submitted application «application_${g.digits(13)}_${g.digits(4)}»`,
      (g) =>
        `[${g.clock()}] {dq.py:${g.int(100, 900)}} WARNING - incident «INC${g.digits(8)}» was filed for late data`,
    ],
    path: [
      (g) =>
        `[${g.clock()}] {dq.py:${g.int(100, 900)}} WARNING - bad rows copied to «s3://lake/quarantine/${col(g)}.parquet»`,
    ],
    number: [
      (g) =>
        `[${g.clock()}] {dq.py:${g.int(100, 900)}} WARNING - null rate rose to «${g.num(10, 90, 3)}%»`,
    ],
  },
};

const table = {
  tool: 'Bash',
  command: (g) => `head -200 data/${g.word()}.csv`,
  head: () => 'id,region,hash,amount,note',
  line: (g) => `${g.digits(7)},${g.word()},${g.hex(12)},${g.num(1, 99, 2)},`,
  says: {
    error: [(g) => `${g.digits(7)},${g.word()},,,«parse error in field ${col(g)}»`],
    id: [(g) => `${g.digits(7)},${g.word()},,,merged into account «ACC-${g.upper(9)}»`],
    number: [(g) => `${g.digits(7)},${g.word()},,,corrected by «${g.num(1000, 9000, 2)} GBP»`],
  },
};

const diff = {
  tool: 'Bash',
  command: () => 'git diff main',
  line: (g) =>
    g.pick([
      () => `+    ${g.word()} = frame.groupby(${g.word()}).agg(${g.word()})`,
      () => `-    raise ValueError(f'bad {${g.word()}}')`,
      () => `@@ -${g.int(1, 400)},7 +${g.int(1, 400)},9 @@ def ${snake(g)}(frame):`,
      () => `     return ${g.word()}.reset_index()`,
    ])(),
  says: {
    decision: [
      (g) => `+    # Decided: «late rows of ${col(g)} go to the next day».`,
      (g) => `+    # We use «${col(g)} as the only join key» because names repeat.`,
    ],
    id: [(g) => `+    # workaround for «DATA-${g.digits(6)}»`],
    path: [(g) => `+    # the mapping comes from «conf/mappings/${col(g)}.yaml»`],
    number: [(g) => `+    # memory peak was «${g.num(1000, 9000, 1)} MB» with the old code`],
  },
};

export const dataPipeline = {
  name: 'data-pipeline',
  outputs: [pytest, job, table, diff],
  opening: (g) => `The ${g.word()} numbers are too low since Monday. Find out why.`,
  talk: [
    (g) => `The ${g.word()} report goes out at nine.`,
    () => 'Good.',
    (g) => `I think ${g.word()} is not the problem.`,
  ],
  rules: [
    (g) => `«Never write to the production schema of ${col(g)}.»`,
    (g) => `«All queries on ${col(g)} must have a date filter.»`,
    (g) => `«Prefer polars over pandas in ${col(g)}.»`,
  ],
  narration: [
    (g) => `Let me count the rows of ${g.word()}.`,
    (g) => `The ${g.word()} step is fine.`,
    () => 'The job ran without errors.',
  ],
  decisions: [
    (g) => `Decision: «drop duplicates on ${col(g)} before the join».`,
    (g) => `We will «reload ${col(g)} from scratch» instead of patching it.`,
    (g) => `I chose «a left join on ${col(g)}» because the right side has gaps.`,
  ],
  edits: (g) => {
    const key = col(g).toUpperCase();
    const set = (value) => `${key} = ${value}`;
    return {
      path: `/srv/etl/${snake(g)}.py`,
      old: set(g.int(1, 99)),
      early: set(g.digits(4)),
      late: `«${set(g.digits(6))}»`,
    };
  },
};
