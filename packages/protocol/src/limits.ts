/**
 * Every bound of the product: a queue, buffer, wait or list without a bound here is a defect. Bounds of the audit
 * journal and of scopes are in audit.ts and scope.ts. Sizes are bytes, durations milliseconds, unless the name
 * says otherwise.
 */

const KiB = 1024
const MiB = 1024 * KiB
const GiB = 1024 * MiB

/** Limits of ptyhost, with the numbers of native/ptyhost/src/limits.h and protocol.h (limits.test.ts compares them). */
export const frameBytesMax = 2 * MiB
/** Arguments of one program, and as many environment variables. */
export const argumentsMax = 4_096
/** One argument, or one variable with its name: Linux takes 32 pages, a terminating zero among them. */
export const argumentBytesMax = 128 * KiB - 1
/** All of them together: Linux takes 2 MiB with the usual stack, and counts a zero and a pointer for each. */
export const startBytesMax = 1_792 * KiB
export const startBytesEach = 9
/** A folder's name: PATH_MAX without its zero. */
export const pathBytesMax = 4_095
/** Bytes of the engine's notes about a session at the host; a list of 4,096 of them must fit the queue of answers. */
export const notesBytesMax = 16 * KiB
/** Bytes of a program's arguments, as JSON, in the notes: enough to recognize it in a list. */
export const notedArgvBytesMax = 4 * KiB
export const keptSessionsMax = 4_096
/** The number in a session's id, which ptyhost keeps in 32 bits. */
export const sessionNumberMax = 2 ** 32 - 1

/** Kept output per session: about 100,000 lines of build output. The host's ring and the daemon's log share it. */
export const logBytesDefault = 8 * MiB
export const logBytesMin = 64 * KiB
export const logBytesMax = 256 * MiB
/** Logs of all terminals together in the daemon; ptyhost keeps the same amount. Enough for 128 terminals with a whole log each. */
export const [logBytesTotalDefault, logBytesTotalMax] = [1 * GiB, 64 * GiB] as const

/** The host stops reading a PTY when the daemon is this far behind, so the program waits instead of losing output. */
export const unparsedBytesMax = 1 * MiB

/** One slice given to the emulator at a time; a flooding session must not starve the others (about 1.5 ms of work). */
export const parseSliceBytes = 32 * KiB

/**
 * How much of a flood of plain lines is gathered before it is passed over, how long a pause ends that sooner, and the longest it takes:
 * waits see nothing of it before. Each is a few milliseconds of work at most, also where that code has hardly run.
 */
export const skimGatherBytes = 256 * KiB
export const skimQuietMs = 8
export const skimGatherMsMax = 30
/** The most that is searched in one go for what can be passed over; more may have been gathered. */
export const skimBytesMax = 512 * KiB

/** Rows kept above the viewport. 12 bytes a cell: 1,000 rows of 120 columns are about 1.5 MB once they are filled. */
export const scrollbackRows = 1_000

/** Output longer than this is not rendered whole: its head and its tail are, and the middle is searched for errors. */
export const renderBytesMax = 256 * KiB

/** Bytes of one tool result: at most 3,000 tokens of ordinary output. */
export const outputBytesDefault = 9 * KiB
export const outputBytesMax = 1 * MiB

/** Answers that may be larger are made one after the other, so that others are served between them. */
export const largeAnswerBytes = 64 * KiB

/** Bytes of a recording: with its escape sequences spelled out in JSON it stays below the limit of one message. */
export const recordingBytesMax = 4 * MiB

/** Shell commands remembered per session, with their line, offsets and exit code. */
export const commandsMax = 200

/** Timestamps of a terminal's output, whose neighbours are merged: 40 KB of a recording's times. */
export const momentsMax = 2_048
/** Changes of its size that wait for a screen; then one is made that takes them. */
export const sizesMax = 1_024
/** Verdicts kept for a follower that does not fetch them: an hour of a program that asks every fifteen seconds. */
export const turnsPerFollowerMax = 256
/** Output in one event of a follower. */
export const followPieceBytes = 64 * KiB

/** An escape sequence longer than this is not a mark; the scanner lets it pass. */
export const markBytesMax = 8 * KiB

/** Characters of a possible escape sequence that are retained before text is passed on; a longer one is passed on unchanged. */
export const unfinishedEscapeCharactersMax = 8 * KiB

export const sessionsMax = 1_000
export const waitsPerSessionMax = 64
/** Runs that wait until another run has ended in the shell of one session: no client makes more calls at the same time. */
export const runsWaitingMax = 16
export const subscribersPerSessionMax = 64
/** Subscribers with a window onto the screen, for each of which all that it shows is kept: they belong to people. */
export const windowsPerSessionMax = 16
/** Resources that one client of MCP, or all that share an address, may subscribe to at the same time. */
export const subscriptionsMax = 256
export const clientsMax = 256
/** Watchers of the list of terminals, over all clients: each MCP client watches it once. */
export const terminalsWatchersMax = 4 * clientsMax
/** Time for a client's hello. When connections run short, the oldest one without a hello is closed earlier. */
export const clientHelloMs = 5_000

export const httpConnectionsMax = 512
/** Requests that are open at the same time; a wait is one. */
export const httpRequestsMax = 512
/** Sessions of MCP clients of 2025; the least recently used one makes room. */
export const httpSessionsMax = 256
/** For a whole request to arrive, and for its head alone; and how often these times are checked. */
export const httpReceiveMs = 30_000
export const httpHeadMs = 10_000
export const httpCheckMs = 5_000
/** For a client to name its folders; most do so within a few milliseconds. */
export const rootsAnswerMs = 10_000

/** Timeout for the server that a discovery file names, while a daemon starts: on the same machine it answers in a few milliseconds. */
export const healthAnswerMs = 2_000
export const healthBytesMax = 64 * KiB
/** Characters of the challenge that a server answers to prove that it knows the token: 32 random bytes in base64 are 43 characters. */
export const challengeCharactersMax = 128
export const discoveryFileBytesMax = 4 * KiB

/** How long (ms) the doctor waits for a registered server, which `npx` may have to fetch first; and then for its end. */
export const doctorAnswerMsDefault = 15_000
export const doctorAnswerMsMax = 600_000
export const doctorFarewellMs = 2_000
/** How long (ms) a program may take to report its version, beside other programs: one that runs in Node takes some seconds. */
export const versionAnswerMs = 10_000
/** Read of what it says. */
export const versionBytesMax = 4 * KiB
/** Kept of what it complains. */
export const complaintBytesMax = 4 * KiB

/** One request or one result on the daemon's socket. */
export const messageBytesMax = 32 * MiB

/** While a client has this much to read, nothing more is taken from it and no event is sent to it. */
export const unsentBytesFull = 1 * MiB
/** All clients together: the one with the most unread bytes is disconnected. A client that reads never has two results waiting. */
export const unsentBytesMax = 2 * messageBytesMax
/** Calls begun and not answered, of clients that have more than one; each may yield `outputBytesMax` some moments later. */
export const youngCallsMax = 16
/** A call that is not answered after this many ms waits for something, and does not keep others from being begun. */
export const youngCallMs = 50
/** Terminals that one connection follows at the same time: as many as there can be. One event of each waits to be sent. */
export const followsPerClientMax = sessionsMax
/** Events of a stream that are sent before its reader has read any of them: with output about 2 MiB. */
export const streamEventsAheadMax = 32
/** A client over HTTP that takes nothing of its answer for this many ms is disconnected; none that works pauses in the middle of one. */
export const httpStuckMs = 30_000

/** For a daemon to start, or to take over from another: it reads all sessions again, on a machine that is busy. */
export const daemonTakeoverMsMax = 60_000
/** For a daemon that listens to say hello, which takes a millisecond: after that another one tries to replace it. */
export const daemonHelloMsMax = 10_000
/** Interval of the checks whether a daemon without a hello was stopped by a signal. */
export const daemonStoppedCheckMs = 500
/** For ptyhost to say hello. */
export const hostHelloMsMax = 10_000
/** A daemon whose socket was removed makes it again after this many ms. */
export const daemonSocketCheckMs = 1_000

/** Building ptyhost where the package has none; two seconds on an ordinary machine. */
export const hostBuildMsMax = 120_000

/** Input waiting for a program that does not read. */
export const inputBytesMax = 16 * MiB

/** Input goes to the host in pieces of this size. */
export const writePieceBytes = 1 * MiB

/** Input of one send. Larger pastes are sent in pieces. */
export const sendBytesMax = 8 * MiB

/** Bytes of a line, without its end, that Linux keeps while it edits lines for a program; what is longer it cuts. */
export const canonicalLineBytesMax = 4_095

export const keysPerSendMax = 256
export const columnsMax = 1_000
export const rowsMax = 500
export const nameCharactersMax = 64
/** A command as one string; in a shell that is there it is typed. */
export const commandCharactersMax = 100_000
export const argumentsPerCommandMax = 1_000
export const searchPatternCharactersMax = 1_000
export const searchMatchesMax = 200
/** Lines of one search whose offsets are returned: a person steps through far fewer, and the list takes about 100 KB. */
export const foundLinesMax = 10_000

/** A tool call returns before any client's own limit (60 s in most) and can be resumed. */
export const waitMsDefault = 30_000
export const waitMsMax = 55_000 - 1_500

/** A client that has closed its end is answered for this many ms: clients give a server two seconds to end on its own. */
export const lastAnswersMsMax = 1_500

/** The same where the call becomes a task, which its client asks about as long as it likes. */
export const taskWaitMsMax = 24 * 60 * 60 * 1_000

/** A call that takes longer becomes a task, where its client knows tasks; most are answered well before. */
export const taskAfterMs = 2_000

/** Tasks kept, at work or done: a call that comes when there are this many is answered as if there were no tasks. */
export const tasksMax = 512

/** `config.yaml`, and the files of the policy: people write a few kilobytes. */
export const configFileBytesMax = 64 * KiB
/** Patterns in one list of a policy file, and what one may have; the folders above a terminal's that are looked through for such files. */
export const policyPatternsMax = 100
export const policyPatternCharactersMax = 200
export const policyFoldersMax = 40
/** How long a policy file is taken to be as it was, and of how many folders is remembered what holds there. */
export const policyFreshMs = 500
export const policyFoldersKeptMax = 64
/** Interval at which policy files are read for clients that are notified when their tools change. */
export const policyNewsMs = 2_000

/** Secret questions that wait for a person, how long each does, and how much an answer may be. */
export const questionsMax = 64
export const questionKeptMs = 15 * 60 * 1_000
export const questionBytesMax = 64 * KiB

/** Nodes of the lineage that callers have made; those of terminals come and go with them. */
export const lineageNodesMax = 1_000
/** Labels of terminals that the lineage has not met yet: as many as there may be terminals. */
export const lineageLabelsMax = sessionsMax
/** Artifacts that are kept, and the bytes of each: 64 MiB in all. The oldest capture is dropped first. */
export const artifactsMax = 64
export const artifactBytesMax = 1 * MiB
/** An answer that began above the screen's scrollback is searched for in this many bytes of the newest output. */
export const answerSearchBytesMax = 4 * MiB
/** Agents that one can depend on: all that there may be. */
export const awaitedAgentsMax = sessionsMax
/** A longer instruction is given as a file to read: programs lose parts of long pastes. */
export const typedInstructionBytesMax = 32 * KiB
/** An agent is instructed when it can take an instruction, or after this many ms. */
export const instructMsMax = 30_000
/** How long (ms) an answer to a dialog waits for it to be drawn. */
export const dialogMsMax = 10_000

/** The result of a task can be fetched for this many ms after it is done. */
export const taskKeptMs = 60 * 60 * 1_000

/** The oldest exited sessions go first when there are more. */
export const exitedSessionsMax = 200

/** Exited sessions stay readable this long unless they are closed. */
export const exitedKeptMsDefault = 60 * 60 * 1_000

/** For searching a caller's pattern in the main thread, where all clients wait for it; a longer search runs in a worker thread. */
export const patternShortMsMax = 5
/** The same in a thread, after which the pattern is refused: a harmless one needs a millisecond for all that it is given. */
export const patternLongMsMax = 100
/** A thread that hardly runs, on a busy machine, gets this many ms of wall time for them. */
export const patternWallMsMax = 1_600
/** Text searched in one go: about 1,000 lines. */
export const patternTextBytesMax = 64 * KiB
/** How many processors slow patterns may have, and how many of them wait for one. */
export const patternThreadsMax = 2
export const patternQueueMax = 256
/** How long (ms) all of a search of the kept output may take in threads. */
export const patternSearchMsMax = 1_000

/** Code units of one character with all its marks; the longest emoji has 15. */
export const clusterCharactersMax = 32

/** Bytes of a string in an escape sequence that reaches the emulator; it is enough for titles and settings, and pictures are not drawn. */
export const sequenceStringBytesMax = 64 * KiB

/** The first slice of output for the emulator, as microseconds of work that it is guessed to be, and one turn of a long piece. */
export const parseSliceMicros = 2_000
export const parseTurnMs = 4

/** Bytes of a terminal's replies to a program that does not read: more than any program asks ahead. A real terminal holds 4 KiB. */
export const replyBytesMax = 64 * KiB

/** An incompletely drawn screen is shown after this many ms. */
export const screenWaitMsMax = 2_000

/** Output dense with escape sequences is scanned in pieces of this size: each is about a millisecond of work at most. */
export const inboxPieceBytes = 4 * KiB

/** Limits of the token in its file: ours has 43 characters, one that a person chose at least the lower number. */
export const tokenCharactersMin = 16
export const tokenCharactersMax = 1_024

/** Places, hosts of a sandbox's settings: as many as a person can read, and all of them fit beside a session's notes. */
export const sandboxPlacesMax = 40
export const sandboxHostsMax = 60
/** The longest name of a host that DNS knows. */
export const hostCharactersMax = 253

/** Default limit of processes in a sandbox: a build on many cores needs some hundreds. */
export const sandboxProcessesDefault = 1_024
/** Default limit of one file: a file that grows without end fills the disk. */
export const sandboxFileBytesDefault = 16 * GiB
/** Default share of the machine's memory: the rest is enough for other programs. */
export const sandboxMemoryShare = 0.5
/** Bytes of each private folder (/tmp, /dev/shm), which is memory: as much as one build leaves there. */
export const sandboxPrivateBytes = 2 * GiB
/** Sockets of programs outside that are covered; a desktop has some hundred, nearly all in folders that are hidden anyway. */
export const sandboxSocketsMax = 200
/** Entries of one folder that are looked through for a pattern of the table of secrets. */
export const sandboxEntriesMax = 1_000

/** Connections through the proxies of all sandboxes together, so that no program takes all descriptors of the daemon. */
export const proxyConnectionsMax = 512
/** Bytes of a request's head, which is an address and few headers. */
export const proxyHeadBytesMax = 16 * KiB
/** How long (ms) a host may take to accept a connection, and a client to say which one it wants. */
export const proxyConnectMs = 30_000

// Pictures of screens
/** The longer side of a picture for models: clients scale larger ones down. */
export const pictureSidePixelsMax = 2_000
/** Bytes of a PNG, before it is spelled in base64: models take five megabytes of that. */
export const pictureBytesMax = 3.5 * MiB
/** Bytes of an SVG: a screen of 200 × 60 whose cells all have colours of their own is half of it. */
export const svgBytesMax = 4 * MiB
