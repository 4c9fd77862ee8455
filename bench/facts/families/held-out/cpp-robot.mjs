// Firmware and planning of a robot in C++: compilers, ctest, node logs, listings, debugger.

const sym = (g) => `${g.word()}_${g.word()}`;
const tag = (g) => `${g.word()}_${g.letters(4)}`;

const compiler = {
  tool: 'Bash',
  command: () => 'cmake --build build -j8',
  fails: true,
  line: (g) =>
    g.pick([
      () =>
        `[${String(g.int(1, 100)).padStart(3)}%] Building CXX object ${g.word()}/CMakeFiles/${g.word()}.dir/src/${sym(g)}.cpp.o`,
      () => `[${String(g.int(1, 100)).padStart(3)}%] Linking CXX static library lib${g.word()}.a`,
      () => `[${String(g.int(1, 100)).padStart(3)}%] Built target ${g.word()}_error_codes`,
      () =>
        `/work/${g.word()}/include/${sym(g)}.hpp:${g.int(9, 400)}:${g.int(1, 60)}: note: declared here`,
    ])(),
  says: {
    error: [
      (g) =>
        `/work/${g.word()}/src/${sym(g)}.cpp:${g.int(9, 900)}:${g.int(1, 60)}: error: «no matching function for call to ${tag(g)}(Pose&)»`,
      (g) => `/usr/bin/ld: «undefined reference to vtable for ${tag(g)}»`,
      (g) => `ninja: «build stopped: subcommand for ${tag(g)} failed.»`,
    ],
    path: [(g) => `-- Toolchain file in use: «/opt/cross/${tag(g)}/toolchain.cmake»`],
    number: [(g) => `   text section of the image: «${g.digits(6)} bytes», the flash holds 524288`],
  },
};

const ctest = {
  tool: 'Bash',
  command: () => 'ctest --test-dir build --output-on-failure',
  fails: true,
  line: (g, i) =>
    g.pick([
      () => `      Start ${String(i).padStart(3)}: ${sym(g)}`,
      () =>
        `${String(i).padStart(3)}/480 Test #${i}: ${sym(g).padEnd(30, '.')}   Passed    ${g.num(0, 9, 2)} sec`,
      () =>
        `${String(i).padStart(3)}/480 Test #${i}: ${`${g.word()}_fails_on_error`.padEnd(30, '.')}   Passed    ${g.num(0, 9, 2)} sec`,
    ])(),
  foot: () => '100% tests passed, 0 tests failed out of 480',
  says: {
    error: [
      (g) =>
        `${g.int(10, 480)}/480 Test #${g.int(10, 480)}: «${tag(g)} ..........***Exception: SegFault»`,
      (g) =>
        `/work/test/${g.word()}.cpp:${g.int(9, 400)}: Failure\n«Expected ${tag(g)} within 0.01 of ${g.num(10, 99, 4)}»`,
      (g) => `«==${g.digits(5)}==ERROR: AddressSanitizer: heap-use-after-free on ${tag(g)}»`,
    ],
    path: [(g) => `Core dump saved as «/var/crash/core.${tag(g)}.${g.digits(5)}»`],
    number: [(g) => `Total Test time (real) = «${g.num(1000, 9000, 2)} sec»`],
  },
};

const node = {
  tool: 'Bash',
  command: (g) => `ros2 launch ${g.word()} sim.launch.py`,
  line: (g) =>
    g.pick([
      () =>
        `[INFO] [${g.num(1_772_000_000, 1_772_900_000, 6)}] [${g.word()}_node]: pose x=${g.num(-9, 9, 3)} y=${g.num(-9, 9, 3)} seq=${g.digits(7)}`,
      () =>
        `[INFO] [${g.num(1_772_000_000, 1_772_900_000, 6)}] [${g.word()}_node]: goal ${g.hex(8)} accepted, 0 errors`,
      () =>
        `[DEBUG] [${g.num(1_772_000_000, 1_772_900_000, 6)}] [${g.word()}_driver]: frame ${g.hex(12)} ok`,
    ])(),
  says: {
    error: [
      (g) =>
        `[ERROR] [${g.num(1_772_000_000, 1_772_900_000, 6)}] [planner]: «no path found around ${tag(g)}, holding position»`,
      (g) =>
        `[FATAL] [${g.num(1_772_000_000, 1_772_900_000, 6)}] [motor]: «overcurrent on joint ${tag(g)}, brake engaged»`,
    ],
    id: [
      (g) =>
        `[WARN] [${g.num(1_772_000_000, 1_772_900_000, 6)}] [bus]: device with serial number «SN-${g.upper(10)}» does not answer`,
      (g) =>
        `[WARN] [${g.num(1_772_000_000, 1_772_900_000, 6)}] [calib]: camera uses calibration set «cal-${g.hex(10)}» of another robot`,
    ],
    path: [
      (g) =>
        `[INFO] [${g.num(1_772_000_000, 1_772_900_000, 6)}] [rosbag2]: recording of the fault is in «/data/bags/${tag(g)}.mcap»`,
    ],
    number: [
      (g) =>
        `[WARN] [${g.num(1_772_000_000, 1_772_900_000, 6)}] [control]: loop overran its period by «${g.num(1000, 9000, 1)} us»`,
    ],
  },
};

const listing = {
  tool: 'Bash',
  command: (g) => `find ${g.word()} -type f | xargs ls -l`,
  line: (g) =>
    `-rw-r--r-- 1 dev dev ${String(g.int(100, 99_999)).padStart(7)} Mar  ${g.int(1, 9)} 1${g.int(0, 9)}:${g.int(10, 59)} ${g.word()}/src/${g.word()}/${sym(g)}.${g.pick(['cpp', 'hpp'])}`,
  says: {
    error: [(g) => `ls: «cannot access ${g.word()}/gen/${tag(g)}.cpp: No such file or directory»`],
    path: [
      (g) =>
        `find: filesystem loop detected; the link is «${g.word()}/third_party/${tag(g)}/current»`,
    ],
  },
};

const notes = {
  tool: 'Read',
  file: (g) => `/home/dev/work/doc/${sym(g)}.rst`,
  line: (g) =>
    g.pick([
      () => `${sym(g)}\n${'='.repeat(g.int(8, 20))}\n`,
      () => `The ${g.word()} frame is attached to the ${g.word()} link and moves with it.`,
      () => `.. code-block:: cpp\n\n   ${sym(g)}.set_${g.word()}(${g.num(0, 9, 2)});\n`,
      () => `* ${g.word()}: see the ${g.word()} chapter`,
    ])(),
  says: {
    decision: [
      (g) => `Design choice: «the ${tag(g)} planner owns the map», all others get copies.`,
      (g) => `It was decided that «${tag(g)} messages are best effort» from release 4 on.`,
      (g) => `We opted for «fixed point in ${tag(g)}» because the controller has no FPU.`,
    ],
    id: [(g) => `The board revision with the fault is «REV-${g.upper(8)}», scrap it.`],
    number: [(g) => `The arm may carry at most «${g.num(1000, 9000, 1)} g» in this pose.`],
    path: [(g) => `Limits are read from «config/limits/${tag(g)}.yaml» and nowhere else.`],
  },
};

export const cppRobot = {
  name: 'cpp-robot',
  outputs: [compiler, ctest, node, listing, notes],
  opening: (g) =>
    `The arm stops halfway near the ${g.word()} station. Please work out why and fix the planner.`,
  talk: [
    (g) => `The lab has the ${g.word()} robot on Tuesdays.`,
    () => 'Great, thanks.',
    (g) => `Might be the ${g.word()} sensor, it was always flaky.`,
    (g) => `Do you need the ${g.word()} drawings?`,
  ],
  rules: [
    (g) => `«No dynamic allocation in ${tag(g)} after start-up.»`,
    (g) => `«Leave the safety limits of ${tag(g)} exactly as they are.»`,
    (g) => `«I want every change to ${tag(g)} behind a compile-time switch.»`,
    (g) => `«Never move the real arm from ${tag(g)}, simulation only.»`,
  ],
  narration: [
    (g) => `Reading the ${g.word()} part of the planner.`,
    (g) => `${sym(g)} is only called from tests.`,
    () => 'The simulation runs through without a stop this time.',
    (g) => `I compare that with the ${g.word()} log.`,
  ],
  decisions: [
    (g) =>
      `I settle for «a ${g.int(2, 9)} cm margin around ${tag(g)}», since less made it oscillate.`,
    (g) => `The fix will be «to lock ${tag(g)} while the map is swapped», not a second map.`,
    (g) => `Going forward «${tag(g)} publishes at ${g.int(20, 90)} Hz», so the driver can keep up.`,
  ],
  edits: (g) => {
    const key = `k${g.letters(4)}_${g.word()}`;
    const set = (value) => `constexpr int ${key} = ${value};`;
    return {
      path: `/home/dev/work/src/${sym(g)}.hpp`,
      old: set(g.int(1, 99)),
      early: set(g.digits(4)),
      late: `«${set(g.digits(6))}»`,
    };
  },
};
