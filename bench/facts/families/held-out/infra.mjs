// A platform team: terraform, kubectl, docker, a package manager, design records.

const host = (g) => `${g.word()}-${g.pick(['a', 'b', 'c'])}${g.int(1, 9)}`;
const pod = (g) => `${g.word()}-${g.word()}-${g.hex(9)}-${g.letters(5)}`;

const terraform = {
  tool: 'Bash',
  command: () => 'terraform apply -auto-approve -no-color',
  fails: true,
  line: (g) =>
    g.pick([
      () =>
        `module.${g.word()}.aws_subnet.${g.word()}[${g.int(0, 5)}]: Refreshing state... [id=subnet-${g.hex(17)}]`,
      () =>
        `module.${g.word()}.aws_iam_role.${g.word()}: Still creating... [${g.int(1, 9)}0s elapsed]`,
      () =>
        `module.${g.word()}.aws_route.${g.word()}: Creation complete after ${g.int(1, 30)}s [id=r-${g.hex(12)}]`,
      () => `  + ${g.word()} = (known after apply)`,
    ])(),
  foot: (g) =>
    `Apply complete! Resources: ${g.int(1, 40)} added, ${g.int(1, 9)} changed, 0 destroyed.`,
  says: {
    error: [
      (g) => `│ Error: «creating S3 Bucket (${g.word()}-${g.letters(5)}): BucketAlreadyExists»`,
      (g) => `│ Error: «Invalid for_each argument in module ${g.word()}_${g.letters(5)}»`,
      (g) =>
        `╷\n│ Error: «error waiting for RDS Cluster (${host(g)}-${g.letters(4)}) to become available: unexpected state failed»\n╵`,
    ],
    id: [
      (g) => `nat_gateway_id = "«nat-${g.hex(17)}»"`,
      (g) => `State lock held by another run, lock id «${g.uuid()}»`,
    ],
    path: [
      (g) =>
        `Wrote the kubeconfig of the new cluster to «/home/dev/.kube/${g.word()}-${g.letters(4)}.yaml»`,
    ],
    number: [(g) => `estimated monthly cost changes by «${g.num(1000, 9000, 2)} USD»`],
  },
};

const kube = {
  tool: 'Bash',
  command: (g) => `kubectl get events -n ${g.word()} --sort-by=.lastTimestamp`,
  head: () =>
    'LAST SEEN   TYPE      REASON              OBJECT                                MESSAGE',
  line: (g) =>
    g.pick([
      () =>
        `${g.int(1, 59)}m         Normal    Pulled              pod/${pod(g)}    Container image already present on machine`,
      () =>
        `${g.int(1, 59)}m         Normal    Scheduled           pod/${pod(g)}    Successfully assigned to node ${host(g)}`,
      () =>
        `${g.int(1, 59)}m         Normal    SuccessfulCreate    replicaset/${g.word()}-${g.hex(9)}    Created pod: ${pod(g)}`,
    ])(),
  says: {
    error: [
      (g) =>
        `${g.int(1, 59)}m         Warning   FailedMount         pod/${pod(g)}    «MountVolume.SetUp failed for volume ${g.word()}-${g.letters(5)}: secret not found»`,
      (g) =>
        `${g.int(1, 59)}m         Warning   BackOff             pod/${pod(g)}    «Back-off restarting failed container ${g.word()}-${g.letters(5)}»`,
      (g) =>
        `${g.int(1, 59)}m         Warning   OOMKilling          node/${host(g)}    «Memory cgroup out of memory: Killed process ${g.digits(6)} (${g.word()})»`,
    ],
    id: [
      (g) =>
        `${g.int(1, 59)}m         Warning   ProvisioningFailed  persistentvolumeclaim/data    volume «vol-${g.hex(17)}» is attached elsewhere`,
    ],
    path: [
      (g) =>
        `${g.int(1, 59)}m         Warning   Unhealthy           pod/${pod(g)}    Liveness probe reads «/run/${g.word()}/${g.word()}-${g.letters(3)}.sock», which is gone`,
    ],
    number: [
      (g) =>
        `${g.int(1, 59)}m         Warning   NodeNotReady        node/${host(g)}    kubelet stopped posting status «${g.num(1000, 9000, 1)} s» ago`,
    ],
  },
};

const docker = {
  tool: 'Bash',
  command: (g) => `docker build -t registry.test/${g.word()} .`,
  fails: true,
  line: (g, i) =>
    g.pick([
      () =>
        `#${i} sha256:${g.hex(64)} ${g.int(1, 90)}.${g.int(1, 9)}MB / ${g.int(90, 200)}.0MB ${g.num(0, 9, 1)}s`,
      () =>
        `#${i} ${g.num(1, 90, 2)} Get:${g.int(1, 99)} http://deb.debian.org/debian bookworm/main amd64 lib${g.word()}${g.int(1, 9)} amd64 [${g.int(3, 900)} kB]`,
      () =>
        `#${i} ${g.num(1, 90, 2)} Setting up lib${g.word()}-error-perl (${g.int(0, 3)}.${g.int(1, 99)}-${g.int(1, 4)}) ...`,
      () => `#${i} CACHED`,
    ])(),
  says: {
    error: [
      (g) =>
        `ERROR: «failed to solve: process /bin/sh -c make ${g.word()}-${g.letters(4)} did not complete successfully: exit code: ${g.int(2, 130)}»`,
      (g) => `E: «Unable to locate package lib${g.word()}-${g.letters(5)}-dev»`,
    ],
    id: [
      (g) =>
        `#${g.int(10, 40)} pushing manifest for registry.test/${g.word()}@«sha256:${g.hex(64)}» done`,
    ],
    path: [
      (g) =>
        `#${g.int(10, 40)} COPY failed: file not found in build context: «deploy/${g.word()}/${g.word()}_${g.letters(4)}.conf»`,
    ],
    number: [(g) => `image size is «${g.num(1000, 9000, 1)} MB», it was 310 MB before`],
  },
};

const record = {
  tool: 'Read',
  file: (g) => `/home/dev/work/docs/adr/00${g.int(10, 99)}-${g.word()}.md`,
  line: (g) =>
    g.pick([
      () => `## ${g.word()} and ${g.word()}\n`,
      () =>
        `The ${g.word()} cluster talks to the ${g.word()} service through ${g.word()}, as it always did.`,
      () => `- ${g.word()}: nothing changes for its users`,
      () => `Some people asked how ${g.word()} would be billed; nobody objected.`,
    ])(),
  says: {
    decision: [
      (g) =>
        `We will «run ${g.word()}-${g.letters(3)} on spot nodes with a floor of ${g.int(2, 9)}».`,
      (g) =>
        `Status: accepted. «Secrets of ${g.word()}-${g.letters(3)} come from Vault, never from the environment».`,
      (g) => `The team chose «${g.word()}-${g.letters(3)} over a service mesh» for cost reasons.`,
    ],
    number: [(g) => `The budget for this is «${g.digits(5)} USD» a year.`],
    id: [(g) => `Supersedes the change request «CHG${g.digits(8)}».`],
    path: [(g) => `The module lives in «modules/${g.word()}/${g.word()}-${g.letters(4)}.tf».`],
  },
};

const packages = {
  tool: 'Bash',
  command: () => 'pip install -r requirements.txt',
  fails: true,
  line: (g) =>
    g.pick([
      () => `Collecting ${g.word()}-${g.word()}==${g.int(0, 9)}.${g.int(0, 30)}.${g.int(0, 9)}`,
      () =>
        `  Downloading ${g.word()}_${g.word()}-${g.int(0, 9)}.${g.int(0, 30)}-py3-none-any.whl (${g.int(5, 900)} kB)`,
      () =>
        `Requirement already satisfied: ${g.word()}>=${g.int(0, 9)}.${g.int(0, 30)} in /usr/lib/python3/dist-packages (from ${g.word()})`,
    ])(),
  says: {
    error: [
      (g) =>
        `ERROR: «No matching distribution found for ${g.word()}-${g.letters(5)}==${g.int(2, 9)}.${g.int(0, 30)}.${g.int(0, 9)}»`,
      (g) => `ERROR: «ResolutionImpossible: ${g.word()}-${g.letters(4)} needs protobuf<4»`,
    ],
    path: [(g) => `  Full build output was kept in «/tmp/pip-build-${g.alnum(9)}/${g.word()}.log»`],
    number: [(g) => `Installed size grew to «${g.num(1000, 9000, 1)} MB»`],
  },
};

export const infra = {
  name: 'infra',
  outputs: [terraform, kube, docker, record, packages],
  opening: (g) =>
    `The ${g.word()} environment does not come up after last night's change. Get it running.`,
  talk: [
    (g) => `${host(g)} was replaced last week.`,
    () => 'Fine by me.',
    (g) => `Nobody uses ${g.word()} any more as far as I know, but I may be wrong.`,
    (g) => `Is the ${g.word()} alert related?`,
  ],
  rules: [
    (g) => `«Don't ever delete volumes of ${g.word()}-${g.letters(4)}.»`,
    (g) => `«Resources in ${g.word()}-${g.letters(4)} have to carry the cost-center tag.»`,
    (g) => `«Only apply ${g.word()}-${g.letters(4)} after showing me the plan.»`,
    (g) => `«Keep the images of ${g.word()}-${g.letters(4)} below 400 MB.»`,
  ],
  narration: [
    (g) => `Checking the events of ${g.word()} now.`,
    (g) => `${host(g)} answers. Next one.`,
    (g) => `The plan only touches ${g.word()}, which is what we want.`,
    () => 'No errors there. I look at the image next.',
  ],
  decisions: [
    (g) => `I'll pin «the ${g.word()}-${g.letters(4)} provider below 6.0» rather than migrate now.`,
    (g) =>
      `Best option: «import ${g.word()}_${g.letters(4)} into the state» instead of creating it again.`,
    (g) => `We agreed to «drain ${g.word()}-${g.letters(4)} first» and upgrade after that.`,
  ],
  edits: (g) => {
    const key = `${g.word()}_${g.word()}_${g.letters(3)}`;
    const set = (value) => `  ${key} = ${value}`;
    return {
      path: `/home/dev/work/modules/${g.word()}/variables.tf`,
      old: set(g.int(1, 99)),
      early: set(g.digits(4)),
      late: `«${set(g.digits(6))}»`,
    };
  },
};
