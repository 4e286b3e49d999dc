"""What tools and systems say of their own failures when the cause lies outside of the code: words, a claim, and where they are documented.

The words are those of manual pages and of the tools' own sources; none is there because of a single log. Case counts, as the tools
write it.
"""

from __future__ import annotations

from auditor.drafting.offline_shapes import HINT, KIND, NAMED, Shape, shape

_BOTH = ("baseline build", "more repeats", "property seed", "hash seed")
"""What is outside hits both builds alike; no locale and no time zone changes it."""


def _outside(weight: int, pattern: str, claim: str, source: str) -> Shape:
    return shape("environment", weight, pattern, claim, source=source, preferred=_BOTH)


OUTSIDE = (
    _outside(
        NAMED,
        r"[Cc]onnection (?:refused|reset by peer|aborted)|\bECONN(?:REFUSED|RESET|ABORTED)\b"
        r"|[Nn]etwork is (?:unreachable|down)|[Nn]o route to host|\bE(?:NETUNREACH|HOSTUNREACH)\b"
        r"|[Ss]ocket hang up",
        "Another machine or service could not be reached: its connection was refused, reset or had no route.",
        "errno(3), connect(2)",
    ),
    _outside(
        NAMED,
        r"Temporary failure in name resolution|[Nn]ame or service not known|[Cc]ould not resolve host"
        r"|\bE(?:AI_AGAIN|NOTFOUND)\b|UnknownHostException|nodename nor servname|no such host"
        r"|Failed to resolve '",
        "The name of a host could not be resolved, which says nothing of the code.",
        "getaddrinfo(3), curl(1), Go net, Node dns",
    ),
    _outside(
        NAMED,
        r"[Cc]onnection timed out|\bE(?:SOCKET)?TIMEDOUT\b"
        r"|\b(?:Connect|Read|Pool)Timeout(?:Error|Exception)?\b|[Rr]ead timed out"
        r"|[Cc]onnect(?:ion)? (?:to \S{1,80} )?timed out|SocketTimeoutException|\bi/o timeout|\bdial tcp\b"
        r"|Max retries exceeded with url|Operation timed out after \d+ milliseconds",
        "Another machine or service answered too late or not at all.",
        "errno(3), requests, urllib3, java.net, Go net, libcurl",
    ),
    _outside(
        NAMED,
        r"certificate verify failed|CERTIFICATE_VERIFY_FAILED|PKIX path building failed|\bx509: "
        r"|certificate has expired|\bSSL(?:Error|HandshakeException)\b|TLS handshake|SELF_SIGNED_CERT"
        r"|SSL_connect|unable to get local issuer certificate",
        "A secure connection could not be set up: a certificate or a protocol was refused.",
        "openssl-verify(1), javax.net.ssl, Go crypto/x509",
    ),
    _outside(
        NAMED,
        r"\b(?:502 Bad Gateway|503 Service (?:Temporarily )?Unavailable|504 Gateway Time-?[Oo]ut|429 Too Many Requests|toomanyrequests)\b"
        r"|\b(?:HTTP|status(?: code)?|returned error|response code)\W{1,3}(?:\d\.\d )?(?:502|503|504|429)\b"
        r"|\b(?:API )?rate limit exceeded|The requested URL returned error: 5\d\d",
        "A service answered that it is overloaded or not there.",
        "RFC 9110 section 15.6, RFC 6585",
    ),
    _outside(
        KIND,
        r"\b500 Internal Server Error\b|\b401 Unauthorized\b|\b403 Forbidden\b|\b407 Proxy",
        "A service refused the request or failed itself.",
        "RFC 9110 section 15; a program under test may answer so itself, hence no more than a kind",
    ),
    _outside(
        NAMED,
        r"[Nn]o space left on device|\bENOSPC\b|[Dd]isk quota exceeded|[Cc]annot allocate memory|\bENOMEM\b"
        r"|[Tt]oo many open files|\bEMFILE\b|[Rr]ead-only file system",
        "The machine ran out of a resource: disk, memory or open files.",
        "errno(3)",
    ),
    _outside(
        NAMED,
        r"\bOutOfMemoryError\b|\bMemoryError\b|heap out of memory|[Oo]ut of memory|\bOOM ?[Kk]ill|oom-kill"
        r"|(?:exit(?:ed)?(?: with)?(?: code| status)?:?|exit code) (?:124|137|143)\b|\bsignal 9\b|\bSIGKILL\b"
        r"|^\S*Killed$|The forked VM terminated",
        "The system ended the process: it ran out of memory or of the time that the machine gives.",
        "signal(7), java.lang.OutOfMemoryError, Node, Linux oom-kill; 137 is 128 and SIGKILL, 143 with SIGTERM; timeout(1) for 124",
    ),
    _outside(
        NAMED,
        r"runner has received a shutdown signal|lost communication with the server"
        r"|exceeded the maximum execution time|The operation was cancell?ed"
        r"|[Nn]ode (?:was|is) (?:evicted|preempted)|\bEvicted\b"
        r"|agent (?:was )?(?:lost|disconnected|went offline)|Job (?:was )?cancell?ed|[Ss]pot instance",
        "The machine that ran it was taken away or stopped before it was done.",
        "GitHub Actions runner, GitLab Runner, Kubernetes",
    ),
    _outside(
        NAMED,
        r"[Pp]ermission denied|\bE(?:ACCES|PERM)\b|[Oo]peration not permitted|AccessDenied|Access Denied"
        r"|Authentication failed|Bad credentials|could not read (?:Username|Password)"
        r"|Resource not accessible by integration|Input required and not supplied|authentication required"
        r"|[Ii]nvalid (?:credentials|API key)|Host key verification failed",
        "It may not do what it tried: a right, a key or a token is not there.",
        "errno(3), ssh(1), git-credential, GitHub REST API, AWS error codes",
    ),
    _outside(
        NAMED,
        r"No matching distribution found|Could not find a version that satisfies|ResolutionImpossible"
        r"|[Vv]ersion solving failed|[Cc]annot install .{1,80} because|\bERESOLVE\b"
        r"|\bE(?:TARGET|INTEGRITY|BADENGINE)\b|[Nn]o matching version|npm (?:ERR!|error) code E"
        r"|Couldn't find (?:any versions|package)|failed to select a version|Unsatisfiable"
        r"|Because .{1,80} depends on .{1,120}|[Cc]ould not find compatible versions|[Cc]ould not find gem"
        r"|[Uu]nmet dependencies|Unable to locate package|Hash Sum mismatch|PackagesNotFoundError"
        r"|Failed building wheel for|metadata-generation-failed|requires a different Python|Requires-Python",
        "A dependency could not be installed: no version fits, or the package is not there.",
        "pip, Poetry, uv, conda, npm, Yarn, Cargo, Bundler, apt-get(8)",
    ),
    _outside(
        NAMED,
        r"No solution found when resolving|SolverProblemError|ResolvePackageNotFound"
        r"|requirements could not be resolved|\bNU1\d{3}\b|has no installation candidate"
        r"|ERR_(?:PNPM|MODULE_NOT_FOUND)\w*|\bgyp ERR!|subprocess-exited-with-error"
        r"|[Cc]ould not install packages|error occurred while installing"
        r"|Failed to (?:install|build installable wheels)|Could not find a package configuration file"
        r"|[Pp]ackage '?\S{1,60} was not found in the pkg-config|go: module .{1,120} not found|E404\b"
        r"|is not in (?:this|the npm) registry|Cannot find module '(?!\.)",
        "A dependency could not be installed or is not there where it is asked for.",
        "uv, Poetry, conda, Composer, NuGet, apt-get(8), pnpm, Node, node-gyp, pip, Bundler, CMake, pkg-config(1), Go",
    ),
    _outside(
        NAMED,
        r"[Cc]ould not resolve dependenc|[Cc]ould not (?:find|transfer) (?:artifact|metadata)"
        r"|[Ff]ailed to collect dependenc|Non-resolvable |DependencyResolutionException"
        r"|ArtifactResolutionException|Could not resolve all (?:files|artifacts|dependencies|task)"
        r"|was not found in http|Plugin \S{1,120} or one of its dependencies could not be resolved"
        r"|missing go\.sum entry|updates to go\.mod needed|cannot find module providing package"
        r"|no required module provides|unrecognized import path|failed to (?:download|fetch|get) `?[\w./-]",
        "The build could not get its dependencies in the versions that it asks for.",
        "Maven Resolver, Gradle, Go modules, Cargo",
    ),
    _outside(
        NAMED,
        r"enforcer[\w-]*:[\w.-]+:enforce|[Ee]nforcer [Rr]ules? ?.{0,40}(?:have |has )?failed"
        r"|\b(?:RequireUpperBoundDeps|DependencyConvergence|BannedDependencies|RequireJavaVersion|RequireMavenVersion)\b"
        r"|[Dd]ependency convergence error",
        "A rule of the build on versions of dependencies or tools is broken; the code was not asked.",
        "Maven Enforcer Plugin, built-in rules",
    ),
    _outside(
        HINT,
        r"Failed to execute goal [\w.-]+:(?!(?:maven-)?(?:compiler|surefire|failsafe|checkstyle|pmd|javadoc|plugin)\b"
        r"|[\w-]*(?:kotlin|scala|groovy|aspectj|ant|spotbugs|spotless|errorprone|eclipse|fmt|formatter|exec))"
        r"[\w-]+:[\w.-]+:(?!test|integration-test|verify|compile)[\w-]+",
        "A step of the build fails that neither compiles nor tests the code: its rules or what it needs have changed.",
        "Maven's list of plugins and the names of their goals: what compiles, tests or checks source is left out",
    ),
    _outside(
        NAMED,
        r"\b[Ll]ock ?file\b.{0,60}(?:out of (?:date|sync)|not up to date|outdated|needs to be updated"
        r"|would have been modified|mismatch|differ|stale|changed)"
        r"|OUTDATED_LOCKFILE|FROZEN_LOCKFILE|YN0028"
        r"|(?:lock file|package-lock\.json).{1,80}(?:in sync|needs to be updated)"
        r"|changed significantly since poetry\.lock|dependency-lock[\w-]*:[\w.-]+:\w+"
        r"|THESE PACKAGES DO NOT MATCH THE HASHES",
        "The lock file and the dependencies that were asked for do not agree.",
        "npm-ci, Yarn error codes, pnpm, Poetry, Cargo, pip, Maven dependency-lock plugin",
    ),
    _outside(
        NAMED,
        r"failed to solve\b|pull access denied|manifest unknown|manifest for \S{1,200} not found"
        r"|Error response from daemon|ImagePullBackOff|ErrImagePull|Cannot connect to the Docker daemon"
        r"|failed to (?:pull|load|resolve) (?:image|metadata|source)|executor failed running"
        r"|The command '/bin/.{1,200}' returned a non-zero code|failed to compute cache key|buildx failed with"
        r"|process \"/bin/.{1,300} did not complete successfully|COPY failed: |ADD failed: "
        r"|failed to register layer|[Dd]ockerfile parse error|^ERROR: failed to build|^ ?> ?\[.{1,60}\] RUN "
        r"|denied: requested access|unauthorized: authentication",
        "An image could not be pulled or built.",
        "Docker Engine, BuildKit, Kubernetes",
    ),
    _outside(
        NAMED,
        r"\bcommand not found\b|: not found$|[Uu]nsupported class file major version"
        r"|UnsupportedClassVersionError|invalid target release|version `\w+_[\d.]+' not found"
        r"|cannot open shared object file|[Uu]nsupported engine|executable file not found in|exec format error"
        r"|is not recognized as an internal or external command|No such image"
        r"|Could not find (?:a )?(?:\S{1,40} )?(?:executable|toolchain|compiler)",
        "A tool, a library of the system or its version is not what the program needs.",
        "bash(1), ld.so(8), JVM specification section 4.1, npm, cmd.exe",
    ),
)
"""All of them are `environment`."""
