package kube

import (
	"context"
	"time"

	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	metadataclient "k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
)

// RunGarbageCollection runs Kubernetes' own garbage collector against a cluster until the context ends. It deletes objects
// whose owners are gone, and reads the kinds of new definitions every two seconds.
func RunGarbageCollection(ctx context.Context, config *rest.Config, client kubernetes.Interface) error {
	objects, err := metadataclient.NewForConfig(config)
	if err != nil {
		return err
	}
	const workers, period = 4, 2 * time.Second
	kinds := memory.NewMemCacheClient(client.Discovery())
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(kinds)
	factory := informerfactory.NewInformerFactory(informers.NewSharedInformerFactory(client, 0), metadatainformer.NewSharedInformerFactory(objects, 0))
	started := make(chan struct{})
	close(started) // the collector starts the informers that it needs
	collector, err := garbagecollector.NewGarbageCollector(ctx, client, objects, mapper, garbagecollector.DefaultIgnoredResources(), factory, started)
	if err != nil {
		return err
	}
	go collector.Run(ctx, workers, time.Minute)
	go collector.Sync(ctx, client.Discovery(), period)
	return nil
}
