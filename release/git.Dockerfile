# salint with git, which --changed-since, --config-from, and diff need.
FROM alpine:3.22
ARG TARGETPLATFORM
RUN apk add --no-cache git && git config --system --add safe.directory '*'
COPY $TARGETPLATFORM/salint /usr/local/bin/salint
USER 65532:65532
WORKDIR /work
ENTRYPOINT ["salint"]
